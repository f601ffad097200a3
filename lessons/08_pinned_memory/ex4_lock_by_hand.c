/* Lesson 08, exercise 4: lock pages by hand.
 *
 * `host` is n floats of memory that somebody else allocated. Lock its pages
 * where they are, queue a copy of all n floats to `there`, memory of the
 * current GPU, on `stream`, wait for the stream, and unlock the pages.
 *
 *   success  return cudaSuccess
 *   failure  return the code of the first call that failed
 *
 * Whatever you locked is unlocked when you return, also after a failure. What
 * somebody else had locked stays locked.
 *
 * check  scripts/learn check 08 ex4
 */
#include <cuda_runtime.h> // defines: cudaHostRegister, cudaMemcpyAsync, ...
#include <stddef.h>

cudaError_t my_send_locked(float *there, float *host, size_t n,
                           cudaStream_t stream)
{
    (void)there, (void)host, (void)n, (void)stream;
    return cudaErrorNotSupported; // TODO: cudaHostRegister, ...
}

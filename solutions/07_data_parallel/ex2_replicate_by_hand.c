/* Lesson 07, exercise 2: replicate, by hand.
 *
 * `weights` are n floats on GPU ids[0]. Give every GPU of the list a copy:
 * copies[0] is `weights` itself, copies[i] memory of GPU ids[i] that you
 * allocate with cudaMalloc, filled by one peer copy from GPU ids[0].
 *
 *   success  return cudaSuccess; the copies are the caller's, who will free
 *            them
 *   failure  stop, and return the code of the call that failed; nothing that
 *            you allocated stays allocated
 *
 * Either way GPU ids[0] is current afterwards.
 *
 * check  scripts/learn check 07 ex2
 */
#include <cuda_runtime.h>
#include <stddef.h>

cudaError_t my_replicate(float *weights, size_t n, const int *ids, int n_ids,
                         float **copies)
{
    //> answer
    //: (void)weights, (void)n, (void)ids, (void)n_ids, (void)copies;
    //: return cudaErrorNotSupported; // TODO
    cudaError_t error = cudaSuccess;
    copies[0] = weights;
    int i = 1;
    for (; i < n_ids && error == cudaSuccess; i++) {
        void *copy = NULL;
        error = cudaSetDevice(ids[i]);
        if (error == cudaSuccess)
            error = cudaMalloc(&copy, n * sizeof *weights);
        if (error == cudaSuccess)
            error = cudaMemcpyPeer(copy, ids[i], weights, ids[0],
                                   n * sizeof *weights);
        copies[i] = copy;
    }
    while (error != cudaSuccess && --i > 0)
        cudaFree(copies[i]); // NULL is fine
    cudaError_t back = cudaSetDevice(ids[0]);
    return error == cudaSuccess ? back : error;
    //< answer
}

/* A wrong answer, kept to be recognised: the two GPUs are swapped. */
#include <cuda_runtime.h> // defines: cudaError_t, cudaMemcpyPeer
#include <stddef.h>

cudaError_t my_peer_copy(float *to, int to_gpu, const float *from, int from_gpu,
                         size_t n)
{
    return cudaMemcpyPeer(to, from_gpu, from, to_gpu, n * sizeof *to);
}

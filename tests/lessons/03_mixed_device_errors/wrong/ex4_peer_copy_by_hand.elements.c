/* A wrong answer, kept to be recognised: numbers are counted, not bytes. */
#include <cuda_runtime.h> // defines: cudaError_t, cudaMemcpyPeer
#include <stddef.h>

cudaError_t my_peer_copy(float *to, int to_gpu, const float *from, int from_gpu,
                         size_t n)
{
    return cudaMemcpyPeer(to, to_gpu, from, from_gpu, n);
}

/* A wrong answer, kept to be recognised: it goes down to the host and up again.
 */
#include <cuda_runtime.h> // defines: cudaError_t, cudaMemcpyPeer
#include <stddef.h>
#include <stdlib.h>

cudaError_t my_peer_copy(float *to, int to_gpu, const float *from, int from_gpu,
                         size_t n)
{
    int before = 0;
    cudaGetDevice(&before);
    float *host = malloc(n * sizeof *host);
    if (!host)
        return cudaErrorMemoryAllocation;
    cudaError_t error = cudaSetDevice(from_gpu);
    if (error == cudaSuccess)
        error =
            cudaMemcpy(host, from, n * sizeof *host, cudaMemcpyDeviceToHost);
    if (error == cudaSuccess)
        error = cudaSetDevice(to_gpu);
    if (error == cudaSuccess)
        error = cudaMemcpy(to, host, n * sizeof *host, cudaMemcpyHostToDevice);
    free(host);
    cudaSetDevice(before);
    return error;
}

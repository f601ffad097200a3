/* A wrong answer, kept to be recognised: after a failure nothing is restored.
 */
#include <cuda_runtime.h> // defines: cudaGetDevice, cudaSetDevice

cudaError_t with_current_device(int gpu, cudaError_t (*work)(void *context),
                                void *context)
{
    int before = 0;
    cudaGetDevice(&before);
    cudaError_t error = cudaSetDevice(gpu);
    if (error != cudaSuccess)
        return error;
    error = work(context);
    if (error != cudaSuccess)
        return error;
    return cudaSetDevice(before);
}

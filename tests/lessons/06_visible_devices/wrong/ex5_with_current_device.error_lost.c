/* A wrong answer, kept to be recognised: what the work returned is forgotten.
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
    work(context);
    return cudaSetDevice(before);
}

/* A wrong answer, kept to be recognised: GPU 0 is made current at the end. */
#include <cuda_runtime.h> // defines: cudaGetDevice, cudaSetDevice

cudaError_t with_current_device(int gpu, cudaError_t (*work)(void *context),
                                void *context)
{
    cudaError_t error = cudaSetDevice(gpu);
    if (error != cudaSuccess)
        return error;
    error = work(context);
    cudaError_t back = cudaSetDevice(0);
    return error != cudaSuccess ? error : back;
}

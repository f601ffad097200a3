/* A wrong answer, kept to be recognised: the work is called wherever it is. */
#include <cuda_runtime.h> // defines: cudaGetDevice, cudaSetDevice

cudaError_t with_current_device(int gpu, cudaError_t (*work)(void *context),
                                void *context)
{
    int before = 0;
    cudaGetDevice(&before);
    cudaError_t error = cudaSetDevice(gpu);
    cudaError_t result = work(context);
    cudaSetDevice(before);
    return error != cudaSuccess ? error : result;
}

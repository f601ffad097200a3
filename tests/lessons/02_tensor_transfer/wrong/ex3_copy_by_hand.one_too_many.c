/* A wrong answer, kept to be recognised: one number more than
 * there are. */
#include <cuda_runtime.h> // defines: cudaError_t, cudaMalloc, cudaMemcpy, ...
#include <stddef.h>

cudaError_t my_copy_to_gpu(int gpu, const float *host, size_t n, float **out)
{
    *out = NULL;
    int before = 0;
    cudaError_t error = cudaGetDevice(&before);
    if (error != cudaSuccess)
        return error;
    error = cudaSetDevice(gpu);
    if (error != cudaSuccess)
        return error;
    float *copy = NULL;
    error = cudaMalloc((void **)&copy, (n + 1) * sizeof *copy);
    if (error == cudaSuccess)
        error = cudaMemcpy(copy, host, (n + 1) * sizeof *copy,
                           cudaMemcpyHostToDevice);
    if (error != cudaSuccess) {
        cudaFree(copy); // NULL is fine
        copy = NULL;
    }
    *out = copy;
    cudaSetDevice(before);
    return error;
}

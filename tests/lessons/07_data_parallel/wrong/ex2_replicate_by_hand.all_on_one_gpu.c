/* A wrong answer, kept to be recognised: nobody changes the current GPU. */
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdlib.h>

cudaError_t my_replicate(float *weights, size_t n, const int *ids, int n_ids,
                         float **copies)
{
    size_t n_bytes = n * sizeof *weights;
    copies[0] = weights;
    for (int i = 1; i < n_ids; i++) {
        cudaMalloc((void **)&copies[i], n_bytes);
        cudaMemcpy(copies[i], weights, n_bytes, cudaMemcpyDeviceToDevice);
    }
    return cudaSetDevice(ids[0]);
}

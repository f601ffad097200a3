/* A wrong answer, kept to be recognised: home and out again. */
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdlib.h>

cudaError_t my_replicate(float *weights, size_t n, const int *ids, int n_ids,
                         float **copies)
{
    size_t n_bytes = n * sizeof *weights;
    float *home = malloc(n_bytes);
    copies[0] = weights;
    for (int i = 1; i < n_ids; i++) {
        cudaMemcpy(home, weights, n_bytes, cudaMemcpyDeviceToHost);
        cudaSetDevice(ids[i]);
        cudaMalloc((void **)&copies[i], n_bytes);
        cudaMemcpy(copies[i], home, n_bytes, cudaMemcpyHostToDevice);
    }
    free(home);
    return cudaSetDevice(ids[0]);
}

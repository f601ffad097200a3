/* A wrong answer, kept to be recognised: the main GPU gets a copy, too. */
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdlib.h>

cudaError_t my_replicate(float *weights, size_t n, const int *ids, int n_ids,
                         float **copies)
{
    size_t n_bytes = n * sizeof *weights;
    for (int i = 0; i < n_ids; i++) {
        cudaSetDevice(ids[i]);
        cudaMalloc((void **)&copies[i], n_bytes);
        cudaMemcpyPeer(copies[i], ids[i], weights, ids[0], n_bytes);
    }
    return cudaSetDevice(ids[0]);
}

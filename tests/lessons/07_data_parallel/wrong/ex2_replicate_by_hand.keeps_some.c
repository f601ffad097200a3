/* A wrong answer, kept to be recognised: after an error, the copies that were
 * made before it stay allocated. */
#include <cuda_runtime.h>
#include <stddef.h>

cudaError_t my_replicate(float *weights, size_t n, const int *ids, int n_ids,
                         float **copies)
{
    cudaError_t error = cudaSuccess;
    copies[0] = weights;
    for (int i = 1; i < n_ids && error == cudaSuccess; i++) {
        void *copy = NULL;
        error = cudaSetDevice(ids[i]);
        if (error == cudaSuccess)
            error = cudaMalloc(&copy, n * sizeof *weights);
        if (error == cudaSuccess)
            error = cudaMemcpyPeer(copy, ids[i], weights, ids[0],
                                   n * sizeof *weights);
        copies[i] = copy;
    }
    cudaError_t back = cudaSetDevice(ids[0]);
    return error == cudaSuccess ? back : error;
}

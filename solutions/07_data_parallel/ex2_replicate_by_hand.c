/* Lesson 07, exercise 2: replicate, by hand.
 *
 * `weights` are n floats on GPU ids[0]. Give every GPU of the list a copy:
 * copies[0] is `weights` itself, copies[i] memory of GPU ids[i] that you
 * allocate with cudaMalloc, filled by one peer copy. Return the first error, or
 * cudaSuccess. Leave GPU ids[0] current.
 *
 * check  scripts/learn check 07 ex2
 */
#include <cuda_runtime.h>
#include <stddef.h>

cudaError_t my_replicate(float *weights, size_t n, const int *ids, int n_ids,
                         float **copies)
{
    //> answer
    //: (void)weights, (void)n, (void)ids, (void)n_ids, (void)copies;
    //: return cudaErrorNotSupported; // TODO
    copies[0] = weights;
    for (int i = 1; i < n_ids; i++) {
        void *copy = NULL;
        cudaError_t error = cudaSetDevice(ids[i]);
        if (error == cudaSuccess)
            error = cudaMalloc(&copy, n * sizeof *weights);
        if (error == cudaSuccess)
            error = cudaMemcpyPeer(copy, ids[i], weights, ids[0],
                                   n * sizeof *weights);
        if (error != cudaSuccess)
            return error;
        copies[i] = copy;
    }
    return cudaSetDevice(ids[0]);
    //< answer
}

/* Lesson 02, exercise 3: copy to a GPU by hand.
 *
 * What tensor_to does, with CUDA's own calls: allocate room for n floats on
 * GPU number `gpu`, copy `host` there, and hand back the address in *out.
 *
 *   success  return cudaSuccess; *out is the caller's, who will cudaFree it
 *   failure  return the code of the call that failed; *out is NULL, and
 *            nothing stays allocated
 *
 * Either way the GPU that was current before is current again.
 *
 * check  scripts/learn check 02 ex3
 */
#include <cuda_runtime.h> // defines: cudaError_t, cudaMalloc, cudaMemcpy, ...
#include <stddef.h>

cudaError_t my_copy_to_gpu(int gpu, const float *host, size_t n, float **out)
{
    //> answer
    //: (void)gpu;
    //: (void)host;
    //: (void)n;
    //: *out = NULL;
    //: return cudaErrorNotSupported; // TODO: cudaSetDevice, cudaMalloc, ...
    *out = NULL;
    int before = 0;
    cudaError_t error = cudaGetDevice(&before);
    if (error != cudaSuccess)
        return error;
    error = cudaSetDevice(gpu);
    if (error != cudaSuccess)
        return error;
    float *copy = NULL;
    error = cudaMalloc((void **)&copy, n * sizeof *copy);
    if (error == cudaSuccess)
        error =
            cudaMemcpy(copy, host, n * sizeof *copy, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) {
        cudaFree(copy); // NULL is fine
        copy = NULL;
    }
    *out = copy;
    cudaSetDevice(before);
    return error;
    //< answer
}

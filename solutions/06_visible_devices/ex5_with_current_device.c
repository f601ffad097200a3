/* Lesson 06, exercise 5: a scope, by hand.
 *
 * Make `gpu` the current GPU, call work(context), and make current again what
 * was current before, whatever `work` returned and did. Return the first error
 * there was: CUDA's when `gpu` cannot be made current (then do not call work),
 * else what work returned.
 *
 * check  scripts/learn check 06 ex5
 */
#include <cuda_runtime.h> // defines: cudaGetDevice, cudaSetDevice

cudaError_t with_current_device(int gpu, cudaError_t (*work)(void *context),
                                void *context)
{
    //> answer
    //: (void)gpu;
    //: return work(context); // TODO: on which GPU?
    int before = 0;
    cudaError_t error = cudaGetDevice(&before);
    if (error != cudaSuccess)
        return error;
    error = cudaSetDevice(gpu);
    if (error != cudaSuccess)
        return error;
    error = work(context);
    cudaError_t back = cudaSetDevice(before);
    return error != cudaSuccess ? error : back;
    //< answer
}

/* The tests' kernel on the simulator. */
#include "scale.h"   // defines: scale, scale_shaped
#include <cudasim.h> // defines: cudasimRegisterKernel

typedef struct Scale {
    const float *in;
    float *out;
    int64_t n;
    float factor;
} Scale;

/* Followed pointers may be NULL: the simulator is to notice, not UBSan. */
__attribute__((no_sanitize("undefined"))) static void run(void *arguments)
{
    const Scale *k = arguments;
    for (int64_t i = 0; i < k->n; i++)
        k->out[i] = k->in[i] * k->factor;
}

static void cost(const void *arguments, double *flops, double *bytes)
{
    const Scale *k = arguments;
    *flops = (double)k->n;
    *bytes = 8.0 * (double)k->n;
}

/* Its address stands for the kernel, as an nvcc stub would. */
static void kernel(void)
{
}

cudaError_t scale_shaped(float *out, const float *in, int64_t n, float factor,
                         cudaStream_t stream, dim3 grid, dim3 block)
{
    const CudasimKernel info = {"scale", run,  sizeof(Scale),
                                2,       cost, CUDASIM_RATE_FLOAT32};
    Scale k = {in, out, n, factor};
    const void *func = (const void *)(uintptr_t)kernel;
    cudaError_t error = cudasimRegisterKernel(func, &info);
    if (error != cudaSuccess)
        return error;
    return cudaLaunchKernel(func, grid, block, (void *[]){&k}, 0, stream);
}

cudaError_t scale(float *out, const float *in, int64_t n, float factor,
                  cudaStream_t stream)
{
    return scale_shaped(out, in, n, factor, stream, (dim3){1, 1, 1},
                        (dim3){256, 1, 1});
}

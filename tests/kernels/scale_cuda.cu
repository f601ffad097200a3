/* The tests' kernel on real GPUs. */
#include "scale.h" // defines: scale, scale_shaped

__global__ static void kernel(float *out, const float *in, int64_t n,
                              float factor)
{
    int64_t step = (int64_t)gridDim.x * blockDim.x;
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (; i < n; i += step)
        out[i] = in[i] * factor;
}

cudaError_t scale_shaped(float *out, const float *in, int64_t n, float factor,
                         cudaStream_t stream, dim3 grid, dim3 block)
{
    void *arguments[] = {&out, &in, &n, &factor};
    return cudaLaunchKernel((const void *)kernel, grid, block, arguments, 0,
                            stream);
}

cudaError_t scale(float *out, const float *in, int64_t n, float factor,
                  cudaStream_t stream)
{
    int64_t blocks = (n + 255) / 256;
    if (blocks > 8192)
        blocks = 8192;
    if (blocks < 1)
        blocks = 1;
    return scale_shaped(out, in, n, factor, stream, dim3((unsigned)blocks),
                        dim3(256));
}

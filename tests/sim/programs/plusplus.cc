// The headers in C++: typed allocation, dim3's constructor, default arguments.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cudasim.h>

static_assert(sizeof(cudaDeviceProp) == 1008, "CUDA 13's size");

int main()
{
    float *x = nullptr, *pinned = nullptr, sum = 0;
    cudaStream_t stream;
    cublasHandle_t handle;
    dim3 grid(4);
    cudaDeviceProp prop;
    if (grid.x * grid.y * grid.z != 4 || cudaGetDeviceProperties(&prop, 0) ||
        cudaMalloc(&x, 16) || cudaMallocHost(&pinned, 16) ||
        cudaStreamCreate(&stream) || cublasCreate(&handle))
        return 1;
    for (int i = 0; i < 4; i++)
        pinned[i] = static_cast<float>(i);
    if (cudaMemcpyAsync(x, pinned, 16, cudaMemcpyHostToDevice) ||
        cublasSasum(handle, 4, x, 1, &sum) || cudaMemsetAsync(x, 0, 16))
        return 2;
    return sum == 6 && !cublasDestroy(handle) && !cudaStreamDestroy(stream) &&
                   !cudaFreeHost(pinned) && !cudaFree(x)
               ? 0
               : 3;
}

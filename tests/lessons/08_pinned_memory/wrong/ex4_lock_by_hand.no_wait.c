#include <cuda_runtime.h>
#include <stddef.h>

cudaError_t my_send_locked(float *there, float *host, size_t n,
                           cudaStream_t stream)
{
    cudaError_t error =
        cudaHostRegister(host, n * sizeof *host, cudaHostRegisterDefault);
    if (error != cudaSuccess)
        return error;
    error = cudaMemcpyAsync(there, host, n * sizeof *host,
                            cudaMemcpyHostToDevice, stream);
    cudaError_t unlocked = cudaHostUnregister(host);
    return error != cudaSuccess ? error : unlocked;
}

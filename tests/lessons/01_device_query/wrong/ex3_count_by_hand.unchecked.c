/* A wrong answer, kept to be recognised: it trusts the number after a failure.
 */
#include <cuda_runtime.h> // defines: cudaGetDeviceCount, cudaGetLastError

int my_device_count(void)
{
    int n = -1;
    cudaGetDeviceCount(&n);
    cudaGetLastError();
    return n;
}

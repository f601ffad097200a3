/* A wrong answer, kept to be recognised: the error stays for the next one to
 * find. */
#include <cuda_runtime.h> // defines: cudaGetDeviceCount, cudaGetLastError

int my_device_count(void)
{
    int n = 0;
    if (cudaGetDeviceCount(&n) != cudaSuccess)
        return 0;
    return n;
}

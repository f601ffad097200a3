/* A wrong answer, kept to be recognised: it asks without waiting. */
#include <cuda_runtime.h> // defines: cudaDeviceSynchronize, cudaSuccess

int my_find_fault(void (*const *steps)(void), int n)
{
    for (int i = 0; i < n; i++) {
        steps[i]();
        if (cudaGetLastError() != cudaSuccess)
            return i;
    }
    return -1;
}

/* A wrong answer, kept to be recognised: it waits at the end alone. */
#include <cuda_runtime.h> // defines: cudaDeviceSynchronize, cudaSuccess

int my_find_fault(void (*const *steps)(void), int n)
{
    for (int i = 0; i < n; i++)
        steps[i]();
    return cudaDeviceSynchronize() == cudaSuccess ? -1 : n - 1;
}

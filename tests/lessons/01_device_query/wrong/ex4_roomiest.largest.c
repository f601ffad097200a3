/* A wrong answer, kept to be recognised: it compares whole cards, not what is
 * free. */
#include "device/device.h" // defines: cuda_device_count
#include <cuda_runtime.h>  // defines: cudaGetDevice, cudaMemGetInfo, ...
#include <stddef.h>

int roomiest_gpu(void)
{
    int n = cuda_device_count();
    if (n == 0)
        return -1;
    int before = 0;
    cudaGetDevice(&before);
    int best = 0;
    size_t most_bytes = 0;
    for (int i = 0; i < n; i++) {
        size_t free_bytes = 0, total_bytes = 0;
        cudaSetDevice(i);
        cudaMemGetInfo(&free_bytes, &total_bytes);
        if (total_bytes > most_bytes) {
            most_bytes = total_bytes;
            best = i;
        }
    }
    cudaSetDevice(before);
    return best;
}

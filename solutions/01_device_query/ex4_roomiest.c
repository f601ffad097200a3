/* Lesson 01, exercise 4: the GPU with the most room.
 *
 * Return the index of the GPU with the most free memory; of equals, the lowest
 * index. Without a GPU return -1. Ask CUDA itself: cudaMemGetInfo tells about
 * the current GPU, so you will have to change it. Leave it as you found it.
 *
 * check  scripts/learn check 01 ex4
 */
#include "device/device.h" // defines: cuda_device_count
#include <cuda_runtime.h>  // defines: cudaGetDevice, cudaMemGetInfo, ...
#include <stddef.h>

int roomiest_gpu(void)
{
    //> answer
    //: return -1; // TODO: ask each GPU
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
        if (free_bytes > most_bytes) {
            most_bytes = free_bytes;
            best = i;
        }
    }
    cudaSetDevice(before);
    return best;
    //< answer
}

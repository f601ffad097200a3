/* Lesson 01, exercise 3: count the GPUs by hand.
 *
 * Return how many GPUs are visible, asking CUDA itself: cudaGetDeviceCount.
 * Without a GPU, or without a driver, that call fails; the answer is then 0.
 * A failing call also leaves its error behind for cudaGetLastError, where
 * somebody else would take it for his own: clear it.
 *
 * check  scripts/learn check 01 ex3
 */
#include <cuda_runtime.h> // defines: cudaGetDeviceCount, cudaGetLastError

int my_device_count(void)
{
    return -1; // TODO: ask cudaGetDeviceCount
}

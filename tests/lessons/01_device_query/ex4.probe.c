#include "device/device.h" // defines: cuda_device_count, cuda_set_device
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include <cuda_runtime.h>

int roomiest_gpu(void); // the student's

/* Take some of a GPU's memory, so that the answer cannot be known before. */
static void take(int gpu, size_t n_bytes)
{
    void *block = NULL;
    cudaSetDevice(gpu);
    cudaMalloc(&block, n_bytes);
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    int n = cuda_device_count();
    int current = (int)probe_int(0, n > 0 ? n - 1 : 0);
    if (n > 0)
        cudaSetDevice(current);
    int first = roomiest_gpu();
    fact_int("index", first);
    fact_int("current GPU afterwards", n > 0 ? cuda_current_device() : -1);
    if (n > 0)
        fact_text("CUDA's last error after your call",
                  cudaGetErrorName(cudaGetLastError()));
    for (int i = 0; i < n; i++) // now something is in use everywhere
        take(i, (size_t)probe_int(1, 60) << 26);
    if (n > 0)
        cudaSetDevice(current);
    fact_int("index, asked again", roomiest_gpu());
    fact_status("the failure pending after your call");
    return probe_end();
}

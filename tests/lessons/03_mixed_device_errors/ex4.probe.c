/* seeds 0.11: what it takes to bring two GPUs together. */
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include "tensor/tensor.h" // defines: tensor_from_host
#include <cuda_runtime.h>
#include <stdlib.h>

cudaError_t my_peer_copy(float *to, int to_gpu, const float *from, int from_gpu,
                         size_t n);

enum { MAX = 1 << 20, SHOWN = 64 };

static float *make(int gpu)
{
    float *block = NULL;
    cudaSetDevice(gpu);
    cudaMalloc((void **)&block, MAX * sizeof *block);
    cudaMemset(block, 0, MAX * sizeof *block);
    return block;
}

static void wait_for(int gpu)
{
    cudaSetDevice(gpu);
    cudaDeviceSynchronize();
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    probe_need_devices(4);
    int from_gpu = (int)probe_int(0, 3), to_gpu = (from_gpu + 1) % 4;
    size_t n = (size_t)probe_int(MAX / 2, MAX);
    float *host = malloc(MAX * sizeof *host);
    if (!host)
        return 1;
    for (int i = 0; i < MAX; i++)
        host[i] = (float)(i % 1000);
    float *from = make(from_gpu), *to = make(to_gpu);
    cudaMemcpy(from, host, MAX * sizeof *host, cudaMemcpyHostToDevice);
    wait_for(from_gpu);
    wait_for(to_gpu);
    int current = 3 - to_gpu;
    cudaSetDevice(current);

    probe_mark();
    cudaError_t error = my_peer_copy(to, to_gpu, from, from_gpu, n);
    int after = -1;
    cudaGetDevice(&after);
    wait_for(from_gpu);
    wait_for(to_gpu);
    fact_elapsed_ns("simulated ns");
    fact_text("what you returned", cudaGetErrorName(error));
    fact_bool("the current GPU is what it was", after == current);
    cudaMemcpy(host, to, MAX * sizeof *host, cudaMemcpyDeviceToHost);
    size_t shown[] = {0, n / 4 - SHOWN / 2, n - SHOWN / 2};
    float seen[3 * SHOWN] = {0}; // the start, the first quarter, the end
    for (size_t i = 0; i < 3 * SHOWN; i++)
        if (shown[i / SHOWN] + i % SHOWN < MAX)
            seen[i] = host[shown[i / SHOWN] + i % SHOWN];
    fact_tensor("values there",
                tensor_from_host(FLOAT32, shape(3, SHOWN), seen));
    error = my_peer_copy(to, 99, from, from_gpu, n);
    fact_text("what you returned for a GPU that is not there",
              cudaGetErrorName(error));
    free(host);
    return probe_end();
}

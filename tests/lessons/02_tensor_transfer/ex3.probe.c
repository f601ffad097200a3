#include "lesson/probe.h" // defines: probe_*, fact_*
#include <cuda_runtime.h>
#include <stdint.h>

cudaError_t my_copy_to_gpu(int gpu, const float *host, size_t n, float **out);

enum { MAX = 64 };

static size_t free_on(int gpu)
{
    size_t free_bytes = 0, total_bytes = 0;
    int before = 0;
    cudaGetDevice(&before);
    cudaSetDevice(gpu);
    cudaMemGetInfo(&free_bytes, &total_bytes);
    cudaSetDevice(before);
    return free_bytes;
}

static int current(void)
{
    int gpu = -1;
    cudaGetDevice(&gpu);
    return gpu;
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    int n_gpus = 0;
    if (cudaGetDeviceCount(&n_gpus) != cudaSuccess)
        n_gpus = 0;
    cudaGetLastError();
    int gpu = n_gpus > 0 ? (int)probe_int(0, n_gpus - 1) : 0;
    int n = (int)probe_int(5, MAX);
    if (n_gpus > 1) // the caller's GPU: neither the student's nor always 0
        cudaSetDevice(gpu + 1 < n_gpus ? gpu + 1 : gpu - 1);
    float host[MAX], back[MAX] = {0};
    for (int i = 0; i < MAX; i++)
        host[i] = (float)probe_int(-99, 99);

    float mark, *there = &mark; // neither NULL nor an answer
    cudaError_t error = my_copy_to_gpu(gpu, host, (size_t)n, &there);
    fact_text("what you returned", cudaGetErrorName(error));
    fact_bool("*out is NULL", there == NULL);
    struct cudaPointerAttributes where = {0};
    bool copied = error == cudaSuccess && there && there != &mark &&
                  cudaPointerGetAttributes(&where, there) == cudaSuccess &&
                  where.type == cudaMemoryTypeDevice;
    fact_int("GPU that holds them", copied ? where.device : -1);
    if (copied && cudaMemcpy(back, there, (size_t)n * sizeof(float),
                             cudaMemcpyDeviceToHost) != cudaSuccess)
        cudaGetLastError();
    fact_tensor("values there", tensor_from_host(FLOAT32, shape(MAX), back));
    fact_int("current GPU afterwards", current());

    // A GPU that is not there, a source that is none, more than there is.
    there = &mark;
    error = my_copy_to_gpu(n_gpus, host, (size_t)n, &there);
    fact_text("for a GPU that is not there", cudaGetErrorName(error));
    fact_bool("*out is NULL then", there == NULL);
    fact_int("current GPU after that", current());
    size_t before = n_gpus ? free_on(gpu) : 0;
    there = &mark;
    error = my_copy_to_gpu(gpu, NULL, (size_t)8 << 20, &there);
    fact_text("for a source that is NULL", cudaGetErrorName(error));
    fact_bool("*out is NULL after that", there == NULL);
    size_t after = n_gpus ? free_on(gpu) : 0;
    fact_int("bytes lost by a failed copy", (int64_t)(before - after));
    fact_int("current GPU after a failed copy", current());
    there = &mark;
    error = my_copy_to_gpu(gpu, host, (size_t)1 << 40, &there);
    fact_text("for more than there is", cudaGetErrorName(error));
    return probe_end();
}

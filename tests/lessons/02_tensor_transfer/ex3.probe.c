#include "lesson/probe.h" // defines: probe_*, fact_*
#include "probe_sim.h"    // defines: probe_sim_mark, fact_sim_link_bytes
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>

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

/* One call; *out holds neither NULL nor an answer before it. */
static cudaError_t ask(int gpu, const float *host, size_t n, const char *name,
                       float **out)
{
    static float mark;
    char what[96];
    *out = &mark;
    cudaError_t error = my_copy_to_gpu(gpu, host, n, out);
    snprintf(what, sizeof what, "what you returned for %s", name);
    fact_text(what, cudaGetErrorName(error));
    snprintf(what, sizeof what, "*out is NULL, for %s", name);
    fact_bool(what, *out == NULL);
    if (*out == &mark)
        *out = NULL;
    return error;
}

static void ask_in_vain(int gpu, int caller, const float *host, size_t n,
                        const char *name)
{
    float *there;
    char what[96];
    cudaSetDevice(caller);
    cudaGetLastError();
    ask(gpu, host, n, name, &there);
    snprintf(what, sizeof what, "the current GPU after the call, for %s", name);
    fact_int(what, current());
}

/* A copy that fails as no other call does: what else is pending is another
 * call's. */
static bool leaves_an_error(int gpu, const float *host)
{
    float *there = NULL;
    cudaGetLastError();
    probe_sim_fail("cudaMemcpy", cudaErrorECCUncorrectable);
    cudaError_t error = my_copy_to_gpu(gpu, host, 1, &there);
    probe_sim_fail(NULL, cudaSuccess);
    cudaError_t last = cudaGetLastError();
    return error != cudaSuccess && last != cudaSuccess && last != error;
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
    // The caller's GPU: neither the one that is asked for nor always 0.
    int caller = n_gpus < 2 ? 0 : gpu + 1 < n_gpus ? gpu + 1 : gpu - 1;
    float host[MAX + 1], back[MAX] = {0}, *there;
    for (int i = 0; i <= MAX; i++)
        host[i] = (float)probe_int(-99, 99);

    if (n_gpus > 0)
        cudaSetDevice(caller);
    probe_sim_mark();
    cudaError_t error = ask(gpu, host, (size_t)n, "a copy that works", &there);
    struct cudaPointerAttributes where = {0};
    bool copied = error == cudaSuccess && there &&
                  cudaPointerGetAttributes(&where, there) == cudaSuccess &&
                  where.type == cudaMemoryTypeDevice;
    fact_int("GPU that holds them", copied ? where.device : -1);
    fact_int("the current GPU after the call, for a copy that works",
             current());
    fact_sim_link_bytes("bytes copied", -1, gpu);
    if (copied && cudaMemcpy(back, there, (size_t)n * sizeof(float),
                             cudaMemcpyDeviceToHost) != cudaSuccess)
        cudaGetLastError();
    fact_tensor("values there", tensor_from_host(FLOAT32, shape(MAX), back));

    ask_in_vain(n_gpus, caller, host, (size_t)n, "a GPU that is not there");
    size_t before = n_gpus ? free_on(gpu) : 0;
    ask_in_vain(gpu, caller, NULL, (size_t)8 << 20, "a source that is NULL");
    size_t after = n_gpus ? free_on(gpu) : 0;
    fact_int("bytes lost by a failed copy", (int64_t)(before - after));
    ask_in_vain(gpu, caller, host, (size_t)1 << 40,
                "more than there is room for");
    fact_bool("an error of your own clearing away is left behind",
              n_gpus > 0 && leaves_an_error(gpu, host));
    return probe_end();
}

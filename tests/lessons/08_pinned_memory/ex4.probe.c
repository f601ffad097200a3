#include "lesson/probe.h" // defines: probe_*, fact_*
#include "probe_sim.h"    // defines: probe_sim_fail
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdlib.h>

cudaError_t my_send_locked(float *there, float *host, size_t n,
                           cudaStream_t stream);

enum { MAX = 200000, SHOWN = 4, DELAY_BYTES = 64 << 20 };

static bool is_locked(const float *host)
{
    struct cudaPointerAttributes facts;
    bool locked = cudaPointerGetAttributes(&facts, host) == cudaSuccess &&
                  facts.type == cudaMemoryTypeHost;
    cudaGetLastError();
    return locked;
}

/* What lies on the GPU: the first quarter's end, and the end. */
static void tell_arrived(const float *there, size_t n)
{
    float *all = calloc(MAX, sizeof *all);
    float seen[2 * SHOWN] = {0};
    if (!all)
        exit(1);
    if (cudaMemcpy(all, there, n * sizeof *all, cudaMemcpyDeviceToHost) ==
        cudaSuccess)
        for (size_t i = 0; i < SHOWN; i++) {
            seen[i] = all[n / 4 - SHOWN / 2 + i];
            seen[SHOWN + i] = all[n - SHOWN + i];
        }
    fact_tensor("numbers there",
                tensor_from_host(FLOAT32, shape(2, SHOWN), seen));
    free(all);
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    probe_need_devices(1);
    size_t n = (size_t)probe_int(MAX / 2, MAX);
    float *host = malloc(MAX * sizeof *host), *there = NULL;
    void *delay = NULL;
    cudaStream_t stream = NULL;
    if (!host ||
        cudaMalloc((void **)&there, MAX * sizeof *there) != cudaSuccess ||
        cudaMalloc(&delay, DELAY_BYTES) != cudaSuccess ||
        cudaMemset(there, 0, MAX * sizeof *there) != cudaSuccess ||
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) !=
            cudaSuccess ||
        cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    for (int i = 0; i < MAX; i++)
        host[i] = (float)(i % 1009 + 1);

    // What stands in the stream before the copy writes the same memory.
    if (cudaMemsetAsync(delay, 1, DELAY_BYTES, stream) != cudaSuccess ||
        cudaMemsetAsync(there, 0, MAX * sizeof *there, stream) != cudaSuccess)
        return 1;
    cudaError_t error = my_send_locked(there, host, n, stream);
    cudaError_t query = cudaStreamQuery(stream);
    fact_text("what you returned", cudaGetErrorName(error));
    fact_bool("the stream is idle", query == cudaSuccess);
    fact_bool("locked afterwards", is_locked(host));
    tell_arrived(there, n);

    error = my_send_locked(NULL, host, n, stream);
    fact_text("for a GPU address that is NULL", cudaGetErrorName(error));
    fact_bool("locked after that failure", is_locked(host));
    probe_sim_fail("cudaStreamSynchronize", cudaErrorOperatingSystem);
    error = my_send_locked(there, host, n, stream);
    fact_text("when the wait fails", cudaGetErrorName(error));
    fact_bool("locked after the wait that failed", is_locked(host));
    probe_sim_fail("cudaHostUnregister", cudaErrorOperatingSystem);
    error = my_send_locked(there, host, n, stream);
    query = cudaStreamQuery(stream); // it unlocked nothing, and waited for none
    fact_text("when unlocking fails", cudaGetErrorName(error));
    fact_bool("the copy was over when you unlocked", query == cudaSuccess);
    probe_sim_fail(NULL, cudaSuccess);
    cudaHostUnregister(host);
    cudaGetLastError();
    error = my_send_locked(there, NULL, n, stream);
    fact_text("for a host address that is NULL", cudaGetErrorName(error));

    // A call before may have left it locked; either way, it is now.
    cudaHostRegister(host, n * sizeof *host, cudaHostRegisterDefault);
    cudaGetLastError();
    error = my_send_locked(there, host, n, stream);
    fact_text("for memory that somebody has locked", cudaGetErrorName(error));
    fact_bool("their lock is still there", is_locked(host));
    return probe_end();
}

/* Facts from the simulator's own counters; empty ones on real hardware. */
#include "probe_sim.h"

#if __has_include("cudasim.h")

#include "cuda_runtime.h" // defines: cudaDeviceSynchronize, cudaSetDevice
#include "cudasim.h"      // defines: cudasimGetLinkCounters, …

typedef struct SimCounts {
    int64_t n_copies, n_bytes, n_launches, n_held_bytes, n_held_streams;
} SimCounts;

static SimCounts sim_mark;

static CudasimLinkCounters link_counts(int from, int to)
{
    CudasimLinkCounters counters = {0, 0, 0};
    (void)cudasimGetLinkCounters(from, to, &counters); // none: stays zero
    return counters;
}

/* Let queued work be done and counted; a fault stays for who asks. */
static int settle(void)
{
    int n = cuda_device_count(), current = 0;
    if (n <= 0 || cudaGetDevice(&current) != cudaSuccess)
        return n;
    for (int i = 0; i < n; i++) {
        CudasimDeviceCounters counters;
        bool used = cudasimGetDeviceCounters(i, &counters) == cudaSuccess &&
                    (counters.used_bytes || counters.n_launches);
        if (used && cudaSetDevice(i) == cudaSuccess)
            (void)cudaDeviceSynchronize();
    }
    (void)cudaSetDevice(current);
    return n;
}

static SimCounts sim_now(void)
{
    SimCounts now = {0, 0, 0, 0, 0};
    int n_devices = settle();
    CudasimHeld held;
    cudasimGetHeld(&held);
    now.n_held_streams = held.n_streams;
    for (int i = 0; i < n_devices; i++) {
        CudasimDeviceCounters counters;
        if (cudasimGetDeviceCounters(i, &counters) == cudaSuccess) {
            uint64_t n = counters.n_launches + counters.n_library;
            now.n_launches += (int64_t)n;
            now.n_held_bytes += (int64_t)counters.used_bytes;
        }
    }
    for (int from = CUDASIM_HOST; from < n_devices; from++) {
        for (int to = CUDASIM_HOST; to < n_devices; to++) {
            CudasimLinkCounters counters = link_counts(from, to);
            now.n_copies += (int64_t)counters.n_copies;
            now.n_bytes += (int64_t)counters.copied_bytes;
        }
    }
    return now;
}

void fact_sim_copies(const char *name)
{
    fact_int(name, sim_now().n_copies - sim_mark.n_copies);
}

void fact_sim_bytes(const char *name)
{
    fact_int(name, sim_now().n_bytes - sim_mark.n_bytes);
}

void fact_sim_launches(const char *name)
{
    fact_int(name, sim_now().n_launches - sim_mark.n_launches);
}

void fact_sim_held_bytes(const char *name)
{
    fact_int(name, sim_now().n_held_bytes - sim_mark.n_held_bytes);
}

void fact_sim_held_streams(const char *name)
{
    fact_int(name, sim_now().n_held_streams - sim_mark.n_held_streams);
}

void fact_sim_link_bytes(const char *name, int from, int to)
{
    (void)sim_now(); // settles
    fact_int(name, (int64_t)link_counts(from, to).copied_bytes);
}

void probe_sim_mark(void)
{
    sim_mark = sim_now();
    cudasimResetCounters();
    sim_mark.n_copies = sim_mark.n_bytes = sim_mark.n_launches = 0;
}

void probe_sim_fail(const char *call, enum cudaError error)
{
    (void)cudasimFailCall(call, 0, 1, error);
}

#else

static void not_counted(const char *name)
{
    probe__state(name, "int", "\"v\": null");
}

void fact_sim_copies(const char *name)
{
    not_counted(name);
}

void fact_sim_bytes(const char *name)
{
    not_counted(name);
}

void fact_sim_launches(const char *name)
{
    not_counted(name);
}

void fact_sim_held_bytes(const char *name)
{
    not_counted(name);
}

void fact_sim_held_streams(const char *name)
{
    not_counted(name);
}

void fact_sim_link_bytes(const char *name, int from, int to)
{
    (void)from;
    (void)to;
    not_counted(name);
}

void probe_sim_mark(void)
{
}

void probe_sim_fail(const char *call, enum cudaError error)
{
    (void)call;
    (void)error;
}

#endif

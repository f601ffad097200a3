/* Virtual time, to the nanosecond, on a machine of round figures
 * (round.machine). */
#include "alone.h"
#include "cudasim.h" // defines: what the simulator adds

#include <pthread.h>

enum { CALL = 100, QUERY = 200, LAUNCH = 1000, COPY = 2000, SYNC = 3000 };
enum { CONTEXT = 1000000, KERNEL = 5000 };

/* What the clock has moved since the last time. */
static int64_t passed(void)
{
    static int64_t before;
    int64_t now = (int64_t)cudasimNow();
    int64_t ns = now - before;
    before = now;
    return ns;
}

static void calls_cost(void)
{
    int n;
    void *p, *host;
    EQUAL(passed(), 0);
    OK(cudaGetDeviceCount(&n));
    EQUAL(passed(), CALL);
    OK(cudaSetDevice(1));
    EQUAL(passed(), CALL + CONTEXT);
    OK(cudaSetDevice(1)); // the context is there
    EQUAL(passed(), CALL);
    OK(cudaMalloc(&p, 1 << 20));
    EQUAL(passed(), 10000);
    OK(cudaFree(p));
    EQUAL(passed(), 20000);
    OK(cudaMallocAsync(&p, 1 << 20, 0));
    EQUAL(passed(), 500);
    OK(cudaMallocHost(&host, 5000));
    EQUAL(passed(), 100000 + 500);
    OK(cudaDeviceSynchronize());
    EQUAL(passed(), SYNC);
    OK(cudaStreamQuery(0));
    EQUAL(passed(), QUERY);
    EQUAL(cudaSetDevice(9), cudaErrorInvalidDevice); // refusals cost too
    EQUAL(passed(), CALL);
    OK(cudaSetDevice(0));
    EQUAL(passed(), CALL + CONTEXT); // each device its own
}

static void copies_cost(void)
{
    float *p, *q, *locked;
    static float host[25000]; // 100 kB
    size_t bytes = sizeof host;
    OK(cudaMalloc((void **)&p, bytes));
    OK(cudaMallocHost((void **)&locked, bytes));
    passed();
    OK(cudaMemcpy(p, host, bytes, cudaMemcpyHostToDevice));
    EQUAL(passed(), COPY + 2000 + 20000 + SYNC);
    OK(cudaMemcpy(p, locked, bytes, cudaMemcpyHostToDevice));
    EQUAL(passed(), COPY + 1000 + 10000 + SYNC);
    OK(cudaMemcpy(host, p, bytes, cudaMemcpyDeviceToHost));
    EQUAL(passed(), COPY + 2000 + 25000 + SYNC);
    OK(cudaMemcpy(locked, p, bytes, cudaMemcpyDeviceToHost));
    EQUAL(passed(), COPY + 1000 + 10000 + SYNC);
    OK(cudaMemcpy(p, p, bytes, cudaMemcpyDeviceToDevice));
    EQUAL(passed(), COPY); // the host does not wait for it
    OK(cudaDeviceSynchronize());
    EQUAL(passed(), KERNEL + 2000); // longer than the call
    OK(cudaSetDevice(1));
    OK(cudaMalloc((void **)&q, bytes));
    passed();
    OK(cudaMemcpyPeer(q, 1, p, 0, bytes)); // through the host
    OK(cudaDeviceSynchronize());
    EQUAL(passed(), COPY + 10000 + 25000);
    OK(cudaDeviceEnablePeerAccess(0, 0));
    passed();
    OK(cudaMemcpyPeer(q, 1, p, 0, bytes)); // straight across
    OK(cudaDeviceSynchronize());
    EQUAL(passed(), COPY + 1000 + 12500);
}

static void staging_costs_the_host(void)
{
    float *p;
    float host[2500]; // 10 kB, read and written at 1 GB/s
    memset(host, 0, sizeof host);
    OK(cudaMalloc((void **)&p, sizeof host));
    passed();
    OK(cudaMemcpyAsync(p, host, sizeof host, cudaMemcpyHostToDevice, 0));
    EQUAL(passed(), COPY + 500 + 20000);
    OK(cudaDeviceSynchronize());
    EQUAL(passed(), 2000 + 2000);
}

static void kernels_cost(void)
{
    cudaEvent_t e, f;
    float ms;
    float *p = device_floats(100000, 1);
    OK(cudaEventCreate(&e));
    OK(cudaEventCreate(&f));
    OK(cudaDeviceSynchronize());
    passed();
    OK(cudaEventRecord(e, 0));
    OK(scale(p, p, 100000, 2, 0)); // 800 kB: 8 us; 0.1 Mflop: 0.1 us
    OK(cudaEventRecord(f, 0));
    EQUAL(passed(), CALL + LAUNCH + CALL);
    OK(cudaEventSynchronize(f));
    EQUAL(passed(), KERNEL + 8000 - CALL);
    OK(cudaEventElapsedTime(&ms, e, f));
    EQUAL(ms * 1e6f + 0.5f, LAUNCH + KERNEL + 8000);
    CudasimDeviceCounters c;
    OK(cudasimGetDeviceCounters(0, &c));
    EQUAL(c.busy_ns, KERNEL + 8000);
}

/* The host's own work and the device's overlap; a wait takes the maximum. */
static void host_and_device_overlap(void)
{
    float *p = device_floats(100000, 1);
    OK(cudaDeviceSynchronize());
    passed();
    OK(scale(p, p, 100000, 2, 0));
    cudasimChargeHost(50000, 0); // 50 us
    EQUAL(passed(), LAUNCH + 500 + 50000);
    OK(cudaDeviceSynchronize());
    EQUAL(passed(), SYNC);      // the kernel has long ended
    cudasimChargeHost(10, 700); // the larger of the two
    EQUAL(passed(), 500 + 700);
}

static void engines_overlap(void)
{
    enum { BYTES = 100000 };
    cudaStream_t s[3];
    char *p, *in, *out;
    float *k = device_floats(100000, 1);
    OK(cudaMalloc((void **)&p, BYTES * 2));
    OK(cudaMallocHost((void **)&in, BYTES));
    OK(cudaMallocHost((void **)&out, BYTES));
    for (int i = 0; i < 3; i++)
        OK(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
    OK(cudaDeviceSynchronize());
    passed();
    OK(cudaMemcpyAsync(p, in, BYTES, cudaMemcpyHostToDevice, s[0])); // 11 us
    OK(cudaMemcpyAsync(out, p + BYTES, BYTES, cudaMemcpyDeviceToHost,
                       s[1]));        // 11 us
    OK(scale(k, k, 100000, 2, s[2])); // 13 us
    EQUAL(passed(), 2 * COPY + LAUNCH);
    OK(cudaStreamSynchronize(s[2]));
    EQUAL(passed(), KERNEL + 8000);
    OK(cudaStreamSynchronize(s[0]));
    EQUAL(passed(), SYNC); // it ended meanwhile
    // Two copies the same way share one engine.
    OK(cudaDeviceSynchronize());
    passed();
    OK(cudaMemcpyAsync(p, in, BYTES, cudaMemcpyHostToDevice, s[0]));
    OK(cudaMemcpyAsync(p, in, BYTES, cudaMemcpyHostToDevice, s[1]));
    OK(cudaDeviceSynchronize());
    EQUAL(passed(), COPY + 11000 + 11000);
}

static void one_copy_engine_serves_both_ways(void)
{
    enum { BYTES = 100000 };
    cudaStream_t s[2];
    char *p, *host;
    OK(cudaSetDevice(2));
    OK(cudaMalloc((void **)&p, BYTES * 2));
    OK(cudaMallocHost((void **)&host, BYTES * 2));
    OK(cudaStreamCreate(&s[0]));
    OK(cudaStreamCreate(&s[1]));
    passed();
    OK(cudaMemcpyAsync(p, host, BYTES, cudaMemcpyHostToDevice, s[0]));
    OK(cudaMemcpyAsync(host + BYTES, p + BYTES, BYTES, cudaMemcpyDeviceToHost,
                       s[1]));
    OK(cudaDeviceSynchronize());
    EQUAL(passed(), COPY + 11000 + 11000);
}

/* Two devices, 10 GB/s each, behind a host link of 15 GB/s. */
static void devices_share_the_host_link(void)
{
    enum { BYTES = 1500000 };
    char *p[2], *host;
    OK(cudaMallocHost((void **)&host, BYTES));
    for (int i = 0; i < 2; i++) {
        OK(cudaSetDevice(i));
        OK(cudaMalloc((void **)&p[i], BYTES));
    }
    passed();
    for (int i = 0; i < 2; i++) {
        OK(cudaSetDevice(i));
        OK(cudaMemcpyAsync(p[i], host, BYTES, cudaMemcpyHostToDevice, 0));
    }
    OK(cudaSetDevice(0));
    EQUAL(passed(), 2 * (CALL + COPY) + CALL);
    OK(cudaDeviceSynchronize()); // alone: 151 us, begun 2.2 us + 0.1 us ago
    EQUAL(passed(), 151000 - 2 * CALL - COPY);
    OK(cudaSetDevice(1));
    OK(cudaDeviceSynchronize()); // 200 us for both, from the first's start
    EQUAL(passed(), 200000 - 151000);
}

static void polling_costs_time(void)
{
    float *p = device_floats(100000, 1);
    OK(cudaDeviceSynchronize());
    OK(scale(p, p, 100000, 2, 0)); // 13 us: 65 queries of 200 ns
    int polls = 1;
    while (cudaStreamQuery(0) == cudaErrorNotReady)
        polls++;
    EQUAL(polls, 65);
}

static void priorities_break_ties(void)
{
    cudaStream_t low, high;
    cudaEvent_t go;
    float *p = device_floats(8, 1);
    float *q = device_floats(8, 0);
    OK(cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, 0));
    OK(cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, -1));
    OK(cudaEventCreate(&go));
    OK(scale(p, p, 8, 1, 0));
    OK(cudaEventRecord(go, 0));
    OK(cudaStreamWaitEvent(low, go, 0));
    OK(cudaStreamWaitEvent(high, go, 0));
    OK(scale(q, p, 8, 1, low));
    OK(scale(p, p, 8, 2, high)); // both may start when `go` comes
    OK(cudaDeviceSynchronize());
    TRUE(float_at(q) == 2);
}

/* Threads */

static void *see_clock(void *out)
{
    *(uint64_t *)out = cudasimNow();
    cudasimChargeHost(1e6, 0);
    return NULL;
}

static void clocks_of_threads(void)
{
    int n;
    uint64_t seen = 0;
    pthread_t thread;
    OK(cudaGetDeviceCount(&n));
    cudasimChargeHost(5000, 0);
    uint64_t mine = cudasimNow();
    EQUAL(pthread_create(&thread, NULL, see_clock, &seen), 0);
    pthread_join(thread, NULL);
    EQUAL(seen, mine);         // it began where we stood
    EQUAL(cudasimNow(), mine); // its time is its own
    cudasimAdvanceTo(mine + 77);
    EQUAL(cudasimNow(), mine + 77);
    cudasimAdvanceTo(mine); // never back
    EQUAL(cudasimNow(), mine + 77);
}

int main(void)
{
    const char *machine = "SIM_MACHINE=" ROUND_MACHINE;
    const struct CMUnitTest tests[] = {
        ALONE(calls_cost, machine),
        ALONE(copies_cost, machine),
        ALONE(staging_costs_the_host, machine),
        ALONE(kernels_cost, machine),
        ALONE(host_and_device_overlap, machine),
        ALONE(engines_overlap, machine),
        ALONE(one_copy_engine_serves_both_ways, machine),
        ALONE(devices_share_the_host_link, machine),
        ALONE(polling_costs_time, machine),
        ALONE(priorities_break_ties, machine),
        ALONE(clocks_of_threads, machine),
    };
    return cmocka_run_group_tests_name("sim time", tests, NULL, NULL);
}

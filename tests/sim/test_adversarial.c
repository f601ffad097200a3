/* SIM_ORDER=adversarial: a missing wait shows every time, a right wait never.
 *
 * Each scene is a small program with and without the wait it needs; without,
 * it must go wrong under this order, and with it must go right under both. */
#include "alone.h"

enum { N = 8, BYTES = N * sizeof(float) };

static cudaStream_t a, b;
static cudaEvent_t event;
static bool with_wait;

static void open_streams(void)
{
    OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    OK(cudaDeviceSynchronize());
}

/* `waiter` waits for all that is in `other` now, if this scene waits. */
static void wait_for(cudaStream_t waiter, cudaStream_t other)
{
    if (!with_wait)
        return;
    OK(cudaEventRecord(event, other));
    OK(cudaStreamWaitEvent(waiter, event, 0));
}

/* b reads what a writes. */
static bool consumer_after_producer(void)
{
    float *p = device_floats(N, 1);
    float *q = device_floats(N, 0);
    open_streams();
    OK(scale(p, p, N, 2, a));
    wait_for(b, a);
    OK(scale(q, p, N, 1, b));
    OK(cudaDeviceSynchronize());
    return float_at(q) == 2;
}

/* The same, with more work in a behind it. */
static bool consumer_between(void)
{
    float *p = device_floats(N, 1);
    float *q = device_floats(N, 0);
    float *r = device_floats(N, 1);
    open_streams();
    OK(scale(p, p, N, 2, a));
    wait_for(b, a);
    OK(scale(q, p, N, 1, b));
    OK(scale(r, r, N, 2, a));
    OK(cudaDeviceSynchronize());
    return float_at(q) == 2;
}

/* b overwrites what a still reads. */
static bool overwriter_after_reader(void)
{
    float *p = device_floats(N, 1);
    float *q = device_floats(N, 0);
    open_streams();
    OK(scale(q, p, N, 1, a));
    wait_for(b, a);
    OK(cudaMemsetAsync(p, 0, BYTES, b));
    OK(cudaDeviceSynchronize());
    return float_at(q) == 1;
}

/* Double buffering with a single buffer: the second copy in comes before the
 * first kernel has read. */
static bool next_batch_after_kernel(void)
{
    float *in;
    float *p = device_floats(N, 0);
    float *sum = device_floats(2 * N, 0);
    OK(cudaMallocHost((void **)&in, 2 * BYTES));
    for (int i = 0; i < 2 * N; i++)
        in[i] = i < N ? 10 : 20;
    open_streams();
    for (int batch = 0; batch < 2; batch++) {
        if (batch == 1)
            wait_for(a, b); // until the kernel has read the first
        OK(cudaMemcpyAsync(p, in + batch * N, BYTES, cudaMemcpyHostToDevice,
                           a));
        OK(cudaEventRecord(event, a)); // this wait is never forgotten
        OK(cudaStreamWaitEvent(b, event, 0));
        OK(scale(sum + batch * N, p, N, 1, b));
    }
    OK(cudaDeviceSynchronize());
    return float_at(sum) == 10 && float_at(sum + N) == 20;
}

/* The host reads a copy's result. */
static bool host_after_copy(void)
{
    float *host;
    float *p = device_floats(N, 7);
    OK(cudaMallocHost((void **)&host, BYTES));
    host[0] = 0;
    open_streams();
    OK(cudaMemcpyAsync(host, p, BYTES, cudaMemcpyDeviceToHost, a));
    if (with_wait)
        OK(cudaStreamSynchronize(a));
    else
        OK(cudaStreamSynchronize(b)); // the wrong one
    return host[0] == 7;
}

/* The host reuses a buffer that a copy still reads. */
static bool refill_after_copy(void)
{
    float *host;
    float *p = device_floats(N, 0);
    OK(cudaMallocHost((void **)&host, BYTES));
    host[0] = 1;
    open_streams();
    OK(cudaMemcpyAsync(p, host, BYTES, cudaMemcpyHostToDevice, a));
    if (with_wait)
        OK(cudaStreamSynchronize(a));
    host[0] = 2;
    OK(cudaStreamSynchronize(a));
    return float_at(p) == 1;
}

/* Work in a non-blocking stream on what the default stream prepares. */
static bool after_the_default_stream(void)
{
    float *p = device_floats(N, 1);
    float *q = device_floats(N, 0);
    open_streams();
    OK(scale(p, p, N, 3, 0));
    wait_for(a, 0);
    OK(scale(q, p, N, 1, a));
    OK(cudaDeviceSynchronize());
    return float_at(q) == 3;
}

/* Two devices: the second copies what the first computes. */
static bool across_devices(void)
{
    float *p = device_floats(N, 1);
    open_streams();
    OK(scale(p, p, N, 4, a));
    if (with_wait)
        OK(cudaEventRecord(event, a));
    OK(cudaSetDevice(1));
    float *q = device_floats(N, 0);
    cudaStream_t far;
    OK(cudaStreamCreateWithFlags(&far, cudaStreamNonBlocking));
    if (with_wait)
        OK(cudaStreamWaitEvent(far, event, 0));
    OK(cudaMemcpyPeerAsync(q, 1, p, 0, BYTES, far));
    OK(cudaStreamSynchronize(far));
    return float_at(q) == 4;
}

/* Memory freed in one stream while another still uses it. */
static bool free_after_use(void)
{
    float *p;
    float *q = device_floats(N, 0);
    open_streams();
    OK(cudaMallocAsync((void **)&p, BYTES, a));
    OK(cudaMemsetAsync(p, 0, BYTES, a));
    OK(cudaEventRecord(event, a));
    OK(cudaStreamWaitEvent(b, event, 0));
    OK(scale(q, p, N, 1, b));
    wait_for(a, b);
    OK(cudaFreeAsync(p, a));
    return cudaDeviceSynchronize() == cudaSuccess;
}

/* Waiting for the wrong moment: recorded before the work it stands for. */
static bool recorded_in_time(void)
{
    float *p = device_floats(N, 1);
    float *q = device_floats(N, 0);
    open_streams();
    if (!with_wait)
        OK(cudaEventRecord(event, a));
    OK(scale(p, p, N, 2, a));
    if (with_wait)
        OK(cudaEventRecord(event, a));
    OK(cudaStreamWaitEvent(b, event, 0));
    OK(scale(q, p, N, 1, b));
    OK(cudaStreamSynchronize(b));
    return float_at(q) == 2;
}

typedef struct Scene {
    const char *name;
    bool (*play)(void);
} Scene;

static const Scene scenes[] = {
    {"consumer after producer", consumer_after_producer},
    {"consumer between", consumer_between},
    {"overwriter after reader", overwriter_after_reader},
    {"next batch after kernel", next_batch_after_kernel},
    {"host after copy", host_after_copy},
    {"refill after copy", refill_after_copy},
    {"after the default stream", after_the_default_stream},
    {"across devices", across_devices},
    {"free after use", free_after_use},
    {"recorded in time", recorded_in_time},
};
enum { N_SCENES = sizeof scenes / sizeof *scenes };

static const Scene *scene;

static void goes_right(void)
{
    TRUE(scene->play());
}

static void goes_wrong(void)
{
    TRUE(!scene->play());
}

static void play_all(bool wait, void (*body)(void), const char *order)
{
    with_wait = wait;
    for (int i = 0; i < N_SCENES; i++) {
        scene = &scenes[i];
        if (run_child(&(Alone){body, {order}}) != 0)
            fail_msg("%s, %s wait, %s:\n%s", scene->name,
                     wait ? "with its" : "without a", order, said);
    }
}

static void a_missing_wait_shows(void **state)
{
    (void)state;
    play_all(false, goes_wrong, "SIM_ORDER=adversarial");
}

static void a_right_wait_never_does(void **state)
{
    (void)state;
    play_all(true, goes_right, "SIM_ORDER=adversarial");
    play_all(true, goes_right, "SIM_ORDER=chronological");
}

/* Why the other order is needed: by the clock, most of these go right. */
static void by_the_clock_it_goes_right_by_chance(void **state)
{
    (void)state;
    with_wait = false;
    scene = &scenes[0];
    assert_int_equal(
        run_child(&(Alone){goes_right, {"SIM_ORDER=chronological"}}), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_wait_shows),
        cmocka_unit_test(a_right_wait_never_does),
        cmocka_unit_test(by_the_clock_it_goes_right_by_chance),
    };
    return cmocka_run_group_tests_name("sim adversarial", tests, NULL, NULL);
}

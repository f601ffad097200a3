/* Streams: order within one, none between two, and the default stream. */
#include "alone.h"

static void what_is_refused(void)
{
    cudaStream_t s;
    EQUAL(cudaStreamCreate(NULL), cudaErrorInvalidValue);
    EQUAL(cudaStreamCreateWithFlags(&s, 2), cudaErrorInvalidValue);
    EQUAL(cudaStreamDestroy(NULL), cudaErrorInvalidResourceHandle);
    EQUAL(cudaStreamDestroy(cudaStreamLegacy), cudaErrorInvalidResourceHandle);
    EQUAL(cudaStreamDestroy(cudaStreamPerThread),
          cudaErrorInvalidResourceHandle);
    OK(cudaStreamCreate(&s));
    OK(cudaStreamDestroy(s));
    EQUAL(cudaStreamSynchronize(s), cudaErrorInvalidResourceHandle);
    EQUAL(cudaStreamQuery(s), cudaErrorInvalidResourceHandle);
    EQUAL(cudaStreamDestroy(s), cudaErrorInvalidResourceHandle);
}

static void what_a_stream_tells(void)
{
    cudaStream_t s, t;
    unsigned flags;
    int number, least, greatest;
    unsigned long long id_s, id_t;
    OK(cudaSetDevice(2));
    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    TRUE(greatest < least);
    OK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -100));
    OK(cudaStreamCreate(&t));
    OK(cudaStreamGetFlags(s, &flags));
    EQUAL(flags, cudaStreamNonBlocking);
    OK(cudaStreamGetFlags(t, &flags));
    EQUAL(flags, cudaStreamDefault);
    OK(cudaStreamGetPriority(s, &number));
    EQUAL(number, greatest); // clamped
    OK(cudaStreamGetDevice(s, &number));
    EQUAL(number, 2);
    OK(cudaSetDevice(0));
    OK(cudaStreamGetDevice(s, &number)); // whichever is current
    EQUAL(number, 2);
    OK(cudaStreamGetDevice(NULL, &number));
    EQUAL(number, 0);
    OK(cudaStreamGetId(s, &id_s));
    OK(cudaStreamGetId(t, &id_t));
    TRUE(id_s != id_t);
    EQUAL(cudaStreamGetFlags(s, NULL), cudaErrorInvalidValue);
    EQUAL(cudaStreamGetId(s, NULL), cudaErrorInvalidValue);
}

static void order_within_a_stream(void)
{
    cudaStream_t s;
    float *p = device_floats(8, 1);
    OK(cudaStreamCreate(&s));
    for (int i = 0; i < 20; i++)
        OK(scale(p, p, 8, i % 2 ? 0.5f : 2.0f, s));
    OK(scale(p, p, 8, 3.0f, s));
    OK(cudaStreamSynchronize(s));
    TRUE(float_at(p) == 3);
}

static void work_runs_when_waited_for(void)
{
    cudaStream_t s;
    CudasimDeviceCounters c;
    float *p = device_floats(8, 1);
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(scale(p, p, 8, 2, s));
    OK(cudasimGetDeviceCounters(0, &c));
    EQUAL(c.n_launches, 0);
    OK(cudaStreamSynchronize(s));
    OK(cudasimGetDeviceCounters(0, &c));
    EQUAL(c.n_launches, 1);
}

static void polling_ends(void)
{
    cudaStream_t s;
    float *p = device_floats(1 << 20, 1);
    OK(cudaStreamCreate(&s));
    OK(cudaStreamQuery(s)); // empty: done
    OK(scale(p, p, 1 << 20, 2, s));
    EQUAL(cudaStreamQuery(s), cudaErrorNotReady);
    EQUAL(cudaGetLastError(), cudaSuccess); // not an error, not recorded
    int polls = 1;
    while (cudaStreamQuery(s) == cudaErrorNotReady)
        polls++;
    TRUE(polls > 2 && polls < 1000);
    TRUE(float_at(p) == 2);
}

static void the_default_stream_waits_for_blocking_streams(void)
{
    cudaStream_t s;
    float *p = device_floats(8, 1);
    OK(cudaStreamCreate(&s));
    OK(scale(p, p, 8, 2, s));
    OK(scale(p, p, 8, 2, 0)); // after it
    OK(scale(p, p, 8, 2, s)); // and this after that
    OK(cudaStreamSynchronize(s));
    TRUE(float_at(p) == 8);
}

static void blocking_and_default_streams_take_turns(void)
{
    cudaStream_t s;
    float *p = device_floats(8, 1);
    float *q = device_floats(8, 0);
    OK(cudaDeviceSynchronize());
    OK(cudaStreamCreate(&s));
    OK(scale(p, p, 8, 5, 0));
    OK(scale(q, p, 8, 1, s));
    OK(cudaStreamSynchronize(s));
    TRUE(float_at(q) == 5);
    OK(scale(p, p, 8, 2, s)); // and the other way round
    OK(scale(q, p, 8, 1, 0));
    OK(cudaDeviceSynchronize());
    TRUE(float_at(q) == 10);
}

/* Adversarial order, so that an order not asked for is not given. */
static void a_non_blocking_stream_stands_apart(void)
{
    cudaStream_t s;
    float *p = device_floats(8, 1);
    float *q = device_floats(8, 0);
    OK(cudaDeviceSynchronize());
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(scale(p, p, 8, 5, 0));
    OK(scale(q, p, 8, 1, s));
    OK(cudaStreamSynchronize(s));
    TRUE(float_at(q) == 1); // did not wait for the default stream
    TRUE(float_at(p) == 5);
}

static void synchronising_the_default_stream(void)
{
    cudaStream_t s, apart;
    float *p = device_floats(8, 1);
    float *q = device_floats(8, 1);
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
    OK(scale(p, p, 8, 2, s));
    OK(scale(q, q, 8, 2, apart));
    EQUAL(cudaStreamQuery(0), cudaErrorNotReady);
    OK(cudaStreamSynchronize(0));
    OK(cudaStreamQuery(s));
    OK(cudaStreamQuery(0));
    OK(cudaDeviceSynchronize());
    OK(cudaStreamQuery(apart));
}

static void the_per_thread_stream(void)
{
    float *p = device_floats(8, 1);
    OK(scale(p, p, 8, 2, cudaStreamPerThread));
    EQUAL(cudaStreamQuery(cudaStreamPerThread), cudaErrorNotReady);
    OK(scale(p, p, 8, 2, cudaStreamLegacy)); // it is a blocking stream
    OK(cudaStreamSynchronize(cudaStreamLegacy));
    TRUE(float_at(p) == 4);
}

static void a_destroyed_stream_still_finishes(void)
{
    cudaStream_t s;
    float *p = device_floats(8, 1);
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(scale(p, p, 8, 2, s));
    OK(cudaStreamDestroy(s));
    OK(cudaDeviceSynchronize());
    TRUE(float_at(p) == 2);
}

static void waiting_for_an_event(void)
{
    cudaStream_t a, b;
    cudaEvent_t e;
    float *p = device_floats(8, 1);
    OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    OK(cudaEventCreate(&e));
    EQUAL(cudaStreamWaitEvent(a, NULL, 0), cudaErrorInvalidResourceHandle);
    OK(cudaStreamWaitEvent(b, e, 0)); // never recorded: no wait
    OK(scale(p, p, 8, 2, a));
    OK(cudaEventRecord(e, a));
    OK(cudaStreamWaitEvent(b, e, 0));
    OK(scale(p, p, 8, 10, b));
    OK(cudaEventRecord(e, b)); // does not change what b waits for
    OK(cudaStreamSynchronize(b));
    TRUE(float_at(p) == 20);
    EQUAL(cudaStreamWaitEvent(a, e, 7), cudaErrorInvalidValue);
}

static void waiting_across_devices(void)
{
    cudaStream_t far;
    cudaEvent_t e;
    float *p = device_floats(8, 1);
    OK(cudaEventCreate(&e));
    OK(scale(p, p, 8, 3, 0));
    OK(cudaEventRecord(e, 0));
    OK(cudaSetDevice(1));
    float *q = device_floats(8, 0);
    OK(cudaStreamCreate(&far));
    OK(cudaStreamWaitEvent(far, e, 0)); // another device's event: allowed
    OK(cudaMemcpyAsync(q, p, 32, cudaMemcpyDefault, far));
    OK(cudaStreamSynchronize(far));
    TRUE(float_at(q) == 3);
}

static void launching_on_another_devices_stream(void)
{
    cudaStream_t far;
    OK(cudaSetDevice(1));
    OK(cudaStreamCreate(&far));
    OK(cudaSetDevice(0));
    float *p = device_floats(8, 1);
    EQUAL(scale(p, p, 8, 2, far), cudaErrorInvalidResourceHandle);
    OK(cudaDeviceSynchronize());
}

/* Host functions */

static int calls;
static cudaError_t refused;

static void CUDART_CB note(void *data)
{
    calls = calls * 10 + *(int *)data;
    int device;
    refused = cudaGetDevice(&device);
    cudasimChargeHost(0, 1e6);
}

static void host_functions_run_in_order(void)
{
    cudaStream_t s;
    int digits[] = {1, 2, 3};
    OK(cudaStreamCreate(&s));
    for (int i = 0; i < 3; i++)
        OK(cudaLaunchHostFunc(s, note, &digits[i]));
    EQUAL(calls, 0);
    uint64_t before = cudasimNow();
    OK(cudaStreamSynchronize(s));
    EQUAL(calls, 123);
    TRUE(cudasimNow() - before > 3 * 1000); // what they charged is their time
    EQUAL(refused, cudaErrorNotPermitted);  // CUDA calls are not for them
    EQUAL(cudaLaunchHostFunc(s, NULL, NULL), cudaErrorInvalidValue);
}

static void a_queue_has_an_end(void)
{
    cudaStream_t s;
    CudasimDeviceCounters c;
    float *p = device_floats(8, 1);
    OK(cudaStreamCreate(&s));
    for (int i = 0; i < 3000; i++)
        OK(scale(p, p, 8, 1, s));
    OK(cudasimGetDeviceCounters(0, &c));
    TRUE(c.n_launches > 1500); // the rest is queued
    OK(cudaStreamSynchronize(s));
    OK(cudasimGetDeviceCounters(0, &c));
    EQUAL(c.n_launches, 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ALONE(what_is_refused),
        ALONE(what_a_stream_tells),
        ALONE(order_within_a_stream),
        ALONE(work_runs_when_waited_for),
        ALONE(polling_ends),
        ALONE(polling_ends, "SIM_ORDER=adversarial"),
        ALONE(the_default_stream_waits_for_blocking_streams),
        ALONE(the_default_stream_waits_for_blocking_streams,
              "SIM_ORDER=adversarial"),
        ALONE(blocking_and_default_streams_take_turns, "SIM_ORDER=adversarial"),
        ALONE(a_non_blocking_stream_stands_apart, "SIM_ORDER=adversarial"),
        ALONE(synchronising_the_default_stream),
        ALONE(synchronising_the_default_stream, "SIM_ORDER=adversarial"),
        ALONE(the_per_thread_stream),
        ALONE(a_destroyed_stream_still_finishes),
        ALONE(waiting_for_an_event),
        ALONE(waiting_for_an_event, "SIM_ORDER=adversarial"),
        ALONE(waiting_across_devices, "SIM_ORDER=adversarial"),
        ALONE(launching_on_another_devices_stream),
        ALONE(host_functions_run_in_order),
        ALONE(a_queue_has_an_end),
    };
    return cmocka_run_group_tests_name("sim streams", tests, NULL, NULL);
}

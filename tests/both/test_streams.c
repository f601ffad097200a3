/* Streams on any GPU: order within one, none between two, the default one. */
#include "alone.h"

/* Work for a while, so that what comes behind it is not done at once. */
static void busy(cudaStream_t stream)
{
    enum { N = 1 << 22, LAUNCHES = 16 };
    static float *p;
    if (p == NULL)
        p = device_floats(N, 1);
    for (int i = 0; i < LAUNCHES; i++)
        OK(scale(p, p, N, 1, stream));
}

static void what_is_refused(void)
{
    cudaStream_t s;
    EQUAL(cudaStreamCreate(NULL), cudaErrorInvalidValue);
    EQUAL(cudaStreamCreateWithFlags(&s, 2), cudaErrorInvalidValue);
    EQUAL(cudaStreamDestroy(NULL), cudaErrorInvalidResourceHandle);
    EQUAL(cudaStreamDestroy(cudaStreamLegacy), cudaErrorInvalidResourceHandle);
    EQUAL(cudaStreamDestroy(cudaStreamPerThread),
          cudaErrorInvalidResourceHandle);
}

static void polling_ends(void)
{
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamQuery(s)); // empty: done
    busy(s);
    EQUAL(cudaStreamQuery(s), cudaErrorNotReady);
    EQUAL(cudaGetLastError(), cudaSuccess); // not an error, not recorded
    while (cudaStreamQuery(s) == cudaErrorNotReady)
        ;
    OK(cudaStreamQuery(s));
}

static void synchronising_the_default_stream(void)
{
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    busy(s);
    EQUAL(cudaStreamQuery(0), cudaErrorNotReady); // it waits for s
    OK(cudaStreamSynchronize(0));
    OK(cudaStreamQuery(s));
    OK(cudaStreamQuery(0));
}

static void the_per_thread_stream(void)
{
    float *p = device_floats(8, 1);
    OK(scale(p, p, 8, 2, cudaStreamPerThread));
    OK(scale(p, p, 8, 2, cudaStreamLegacy)); // it is a blocking stream
    OK(cudaStreamSynchronize(cudaStreamLegacy));
    TRUE(float_at(p) == 4);
}

static void what_a_stream_of_one_gpu_tells(void)
{
    cudaStream_t s, t;
    unsigned flags;
    int number, least, greatest;
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
}

static void what_a_stream_tells(void)
{
    cudaStream_t s, t;
    unsigned flags;
    int number, least, greatest;
    unsigned long long id_s, id_t;
    needs_gpus(3);
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
    needs_gpus(2);
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
    needs_gpus(2);
    OK(cudaSetDevice(1));
    OK(cudaStreamCreate(&far));
    OK(cudaSetDevice(0));
    float *p = device_floats(8, 1);
    EQUAL(scale(p, p, 8, 2, far), cudaErrorInvalidResourceHandle);
    OK(cudaDeviceSynchronize());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ALONE(what_a_stream_tells),
        ALONE(order_within_a_stream),
        ALONE(the_default_stream_waits_for_blocking_streams),
        ALONE(the_default_stream_waits_for_blocking_streams,
              "SIM_ORDER=adversarial"),
        ALONE(blocking_and_default_streams_take_turns, "SIM_ORDER=adversarial"),
        ALONE(a_destroyed_stream_still_finishes),
        ALONE(waiting_for_an_event),
        ALONE(waiting_for_an_event, "SIM_ORDER=adversarial"),
        ALONE(waiting_across_devices, "SIM_ORDER=adversarial"),
        ALONE(launching_on_another_devices_stream),
        ALONE(what_is_refused),
        ALONE(polling_ends),
        ALONE(synchronising_the_default_stream),
        ALONE(the_per_thread_stream),
        ALONE(what_a_stream_of_one_gpu_tells),
    };
    return cmocka_run_group_tests_name("both streams", tests, NULL, NULL);
}

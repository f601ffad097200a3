/* Streams: order within one, none between two, and the default stream. */
#include "alone.h"
#include "cudasim.h" // defines: what the simulator adds

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

        ALONE(work_runs_when_waited_for),
        ALONE(polling_ends),
        ALONE(polling_ends, "SIM_ORDER=adversarial"),

        ALONE(a_non_blocking_stream_stands_apart, "SIM_ORDER=adversarial"),
        ALONE(synchronising_the_default_stream),
        ALONE(synchronising_the_default_stream, "SIM_ORDER=adversarial"),
        ALONE(the_per_thread_stream),

        ALONE(host_functions_run_in_order),
        ALONE(a_queue_has_an_end),
    };
    return cmocka_run_group_tests_name("sim streams", tests, NULL, NULL);
}

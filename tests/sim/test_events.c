/* Events: marks in streams, and the time between two. */
#include "alone.h"

static void what_is_refused(void)
{
    cudaEvent_t e;
    float ms;
    EQUAL(cudaEventCreate(NULL), cudaErrorInvalidValue);
    EQUAL(cudaEventCreateWithFlags(&e, 0x10), cudaErrorInvalidValue);
    EQUAL(cudaEventRecord(NULL, 0), cudaErrorInvalidResourceHandle);
    EQUAL(cudaEventQuery(NULL), cudaErrorInvalidResourceHandle);
    EQUAL(cudaEventSynchronize(NULL), cudaErrorInvalidResourceHandle);
    EQUAL(cudaEventDestroy(NULL), cudaErrorInvalidResourceHandle);
    OK(cudaEventCreate(&e));
    EQUAL(cudaEventElapsedTime(NULL, e, e), cudaErrorInvalidValue);
    EQUAL(cudaEventElapsedTime(&ms, NULL, e), cudaErrorInvalidResourceHandle);
    OK(cudaEventDestroy(e));
    EQUAL(cudaEventRecord(e, 0), cudaErrorInvalidResourceHandle);
    EQUAL(cudaEventDestroy(e), cudaErrorInvalidResourceHandle);
}

static void the_time_of_a_kernel(void)
{
    cudaEvent_t e, f;
    float ms = -1;
    enum { N = 1 << 20 };
    float *p = device_floats(N, 1);
    OK(cudaEventCreate(&e));
    OK(cudaEventCreate(&f));
    OK(cudaDeviceSynchronize());
    OK(cudaEventRecord(e, 0));
    OK(scale(p, p, N, 2, 0));
    OK(cudaEventRecord(f, 0));
    EQUAL(cudaEventQuery(f), cudaErrorNotReady);
    EQUAL(cudaEventElapsedTime(&ms, e, f), cudaErrorNotReady);
    EQUAL(cudaGetLastError(), cudaSuccess);
    OK(cudaEventSynchronize(f));
    OK(cudaEventQuery(f));
    OK(cudaEventElapsedTime(&ms, e, f));
    // 2 us to launch it, 6 us, and 8 MiB at 898 GB/s * 0.86
    TRUE(ms > 0.016f && ms < 0.020f);
    float back;
    OK(cudaEventElapsedTime(&back, f, e));
    TRUE(back == -ms);
}

static void recording_again_overwrites(void)
{
    cudaEvent_t e;
    float *p = device_floats(8, 1);
    OK(cudaEventCreate(&e));
    OK(cudaEventRecord(e, 0));
    OK(cudaEventSynchronize(e));
    OK(scale(p, p, 8, 2, 0));
    OK(cudaEventRecordWithFlags(e, 0, cudaEventRecordDefault));
    EQUAL(cudaEventQuery(e), cudaErrorNotReady);
    OK(cudaEventSynchronize(e));
    TRUE(float_at(p) == 2);
    EQUAL(cudaEventRecordWithFlags(e, 0, cudaEventRecordExternal),
          cudaErrorInvalidValue);
}

static void waiting_for_an_event_alone(void)
{
    cudaStream_t s;
    cudaEvent_t e;
    float *p = device_floats(8, 1);
    OK(cudaStreamCreate(&s));
    OK(cudaEventCreate(&e));
    OK(scale(p, p, 8, 2, s));
    OK(cudaEventRecord(e, s));
    OK(scale(p, p, 8, 2, s)); // after the mark
    OK(cudaEventSynchronize(e));
    EQUAL(cudaStreamQuery(s), cudaErrorNotReady);
    OK(cudaStreamSynchronize(s));
    TRUE(float_at(p) == 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ALONE(what_is_refused),

        ALONE(the_time_of_a_kernel),
        ALONE(recording_again_overwrites),
        ALONE(waiting_for_an_event_alone),

    };
    return cmocka_run_group_tests_name("sim events", tests, NULL, NULL);
}

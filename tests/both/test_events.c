/* Events on any GPU: marks in streams, and the time between two. */
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
    cudaEvent_t e;
    float ms;
    EQUAL(cudaEventCreate(NULL), cudaErrorInvalidValue);
    EQUAL(cudaEventCreateWithFlags(&e, 0x10), cudaErrorInvalidValue);
    EQUAL(cudaEventRecord(NULL, 0), cudaErrorInvalidResourceHandle);
    EQUAL(cudaEventQuery(NULL), cudaErrorInvalidResourceHandle);
    EQUAL(cudaEventSynchronize(NULL), cudaErrorInvalidResourceHandle);
    EQUAL(cudaEventDestroy(NULL), cudaErrorInvalidResourceHandle);
    OK(cudaEventCreate(&e));
    EQUAL(cudaEventElapsedTime(&ms, NULL, e), cudaErrorInvalidResourceHandle);
}

static void not_ready_and_then_ready(void)
{
    cudaEvent_t e, f;
    float ms = -1;
    OK(cudaEventCreate(&e));
    OK(cudaEventCreate(&f));
    OK(cudaEventRecord(e, 0));
    busy(0);
    OK(cudaEventRecord(f, 0));
    EQUAL(cudaEventQuery(f), cudaErrorNotReady);
    EQUAL(cudaEventElapsedTime(&ms, e, f), cudaErrorNotReady);
    EQUAL(cudaGetLastError(), cudaSuccess); // it is not kept as an error
    OK(cudaEventSynchronize(f));
    OK(cudaEventQuery(f));
    OK(cudaEventElapsedTime(&ms, e, f));
    TRUE(ms > 0);
}

static void recording_again_overwrites(void)
{
    cudaEvent_t e;
    OK(cudaEventCreate(&e));
    OK(cudaEventRecord(e, 0));
    OK(cudaEventSynchronize(e));
    busy(0);
    OK(cudaEventRecordWithFlags(e, 0, cudaEventRecordDefault));
    EQUAL(cudaEventQuery(e), cudaErrorNotReady);
    OK(cudaEventSynchronize(e));
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
    busy(s); // after the mark
    OK(cudaEventSynchronize(e));
    EQUAL(cudaStreamQuery(s), cudaErrorNotReady);
    OK(cudaStreamSynchronize(s));
    TRUE(float_at(p) == 2);
}

static void an_event_never_recorded(void)
{
    cudaEvent_t e, f;
    float ms;
    OK(cudaEventCreate(&e));
    OK(cudaEventCreate(&f));
    OK(cudaEventQuery(e));
    OK(cudaEventSynchronize(e));
    EQUAL(cudaEventElapsedTime(&ms, e, f), cudaErrorInvalidResourceHandle);
}

static void an_event_without_timing(void)
{
    cudaEvent_t e, f;
    float ms;
    OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    OK(cudaEventCreate(&f));
    OK(cudaEventRecord(e, 0));
    OK(cudaEventRecord(f, 0));
    OK(cudaEventSynchronize(f));
    EQUAL(cudaEventElapsedTime(&ms, e, f), cudaErrorInvalidResourceHandle);
}

static void events_and_devices(void)
{
    cudaEvent_t here, there;
    cudaStream_t far;
    float ms;
    needs_gpus(2);
    OK(cudaEventCreate(&here));
    OK(cudaSetDevice(1));
    OK(cudaEventCreate(&there));
    OK(cudaStreamCreate(&far));
    OK(cudaEventRecord(there, far));
    OK(cudaSetDevice(0));
    OK(cudaEventRecord(here, 0));
    // An event can only be recorded in a stream of its own device.
    EQUAL(cudaEventRecord(here, far), cudaErrorInvalidResourceHandle);
    OK(cudaEventSynchronize(there)); // waiting is allowed from anywhere
    OK(cudaEventQuery(there));
    OK(cudaEventSynchronize(here));
    EQUAL(cudaEventElapsedTime(&ms, here, there),
          cudaErrorInvalidResourceHandle);
}

static void an_event_outlives_its_stream(void)
{
    cudaStream_t s;
    cudaEvent_t e;
    float *p = device_floats(8, 1);
    OK(cudaStreamCreate(&s));
    OK(cudaEventCreate(&e));
    OK(scale(p, p, 8, 2, s));
    OK(cudaEventRecord(e, s));
    OK(cudaStreamDestroy(s));
    OK(cudaEventSynchronize(e));
    OK(cudaEventDestroy(e));
    TRUE(float_at(p) == 2);
}

static void destroying_what_is_queued(void)
{
    cudaEvent_t e;
    cudaStream_t s;
    float *p = device_floats(8, 1);
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaEventCreate(&e));
    OK(scale(p, p, 8, 2, 0));
    OK(cudaEventRecord(e, 0));
    OK(cudaStreamWaitEvent(s, e, 0));
    OK(cudaEventDestroy(e)); // the wait stays
    OK(scale(p, p, 8, 2, s));
    OK(cudaStreamSynchronize(s));
    TRUE(float_at(p) == 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ALONE(an_event_never_recorded),
        ALONE(an_event_without_timing),
        ALONE(events_and_devices),
        ALONE(an_event_outlives_its_stream),
        ALONE(an_event_outlives_its_stream, "SIM_ORDER=adversarial"),
        ALONE(destroying_what_is_queued, "SIM_ORDER=adversarial"),
        ALONE(what_is_refused),
        ALONE(not_ready_and_then_ready),
        ALONE(recording_again_overwrites),
        ALONE(waiting_for_an_event_alone),
    };
    return cmocka_run_group_tests_name("both events", tests, NULL, NULL);
}

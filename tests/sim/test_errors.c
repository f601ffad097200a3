/* Errors: the last one of a thread, the one that sticks, and when each is
 * reported. */
#include "alone.h"

#include <pthread.h>

static void the_last_error(void)
{
    void *p;
    EQUAL(cudaMalloc(NULL, 1), cudaErrorInvalidValue);
    EQUAL(cudaPeekAtLastError(), cudaErrorInvalidValue);
    OK(cudaMalloc(&p, 8)); // a success does not clear it
    EQUAL(cudaPeekAtLastError(), cudaErrorInvalidValue);
    EQUAL(cudaSetDevice(99), cudaErrorInvalidDevice); // an error replaces it
    EQUAL(cudaGetLastError(), cudaErrorInvalidDevice);
    EQUAL(cudaGetLastError(), cudaSuccess);
}

static void *ask_last_error(void *out)
{
    *(cudaError_t *)out = cudaPeekAtLastError();
    return NULL;
}

static void the_last_error_is_the_threads_own(void)
{
    pthread_t thread;
    cudaError_t seen = cudaErrorUnknown;
    EQUAL(cudaMalloc(NULL, 1), cudaErrorInvalidValue);
    EQUAL(pthread_create(&thread, NULL, ask_last_error, &seen), 0);
    pthread_join(thread, NULL);
    EQUAL(seen, cudaSuccess);
    EQUAL(cudaGetLastError(), cudaErrorInvalidValue);
}

/* A device whose next wait finds error 700. */
static float *break_device(void)
{
    float *p = device_floats(8, 1);
    float host[8];
    OK(scale(p, host, 8, 2, 0));
    return p;
}

/* seeds 1.9: the call that fails is not the call that was wrong. */
static void a_fault_is_reported_later(void)
{
    void *q;
    break_device();
    OK(cudaGetLastError());
    OK(cudaMalloc(&q, 8)); // nobody has waited yet
    EQUAL(cudaMemcpy(&q, q, 8, cudaMemcpyDeviceToHost),
          cudaErrorIllegalAddress);
}

/* seeds 1.9: with CUDA_LAUNCH_BLOCKING=1 it is. */
static void launch_blocking_brings_it_home(void)
{
    float *p = device_floats(8, 1);
    float host[8];
    OK(scale(p, p, 8, 2, 0));
    EQUAL(scale(p, host, 8, 2, 0), cudaErrorIllegalAddress);
    EQUAL(cudaGetLastError(), cudaErrorIllegalAddress);
}

static void a_fault_sticks(void)
{
    void *q;
    size_t a, b;
    cudaStream_t s;
    cudaEvent_t e;
    float *p = break_device();
    EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    EQUAL(cudaGetLastError(), cudaErrorIllegalAddress); // does not help
    EQUAL(cudaMalloc(&q, 8), cudaErrorIllegalAddress);
    EQUAL(cudaFree(p), cudaErrorIllegalAddress);
    EQUAL(cudaMemcpy(&q, p, 8, cudaMemcpyDefault), cudaErrorIllegalAddress);
    EQUAL(cudaMemGetInfo(&a, &b), cudaErrorIllegalAddress);
    EQUAL(cudaStreamCreate(&s), cudaErrorIllegalAddress);
    EQUAL(cudaEventCreate(&e), cudaErrorIllegalAddress);
    EQUAL(scale(p, p, 8, 1, 0), cudaErrorIllegalAddress);
    EQUAL(cudaMallocHost(&q, 8), cudaErrorIllegalAddress);
    EQUAL(cudaDeviceReset(), cudaErrorIllegalAddress); // nor does this
    EQUAL(cudaMalloc(&q, 8), cudaErrorIllegalAddress);
}

static void what_still_works_after_a_fault(void)
{
    int n;
    struct cudaDeviceProp prop;
    break_device();
    EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    OK(cudaGetDeviceCount(&n));
    OK(cudaGetDevice(&n));
    OK(cudaGetDeviceProperties(&prop, 0));
    OK(cudaRuntimeGetVersion(&n));
    OK(cudaSetDevice(0));
}

/* Our choice: the device is lost, the others are not. */
static void a_fault_stays_on_its_device(void)
{
    float *p = break_device();
    EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    OK(cudaSetDevice(1));
    float *q = device_floats(8, 1);
    OK(scale(q, q, 8, 2, 0));
    TRUE(float_at(q) == 2);
    EQUAL(cudaMemcpy(q, p, 8, cudaMemcpyDefault), cudaErrorIllegalAddress);
    EQUAL(cudaMemcpyPeer(q, 1, p, 0, 8), cudaErrorIllegalAddress);
    OK(cudaDeviceSynchronize());
}

static void what_was_queued_is_dropped(void)
{
    cudaStream_t s;
    CudasimDeviceCounters c;
    float host[8];
    OK(cudaStreamCreate(&s));
    float *p = device_floats(8, 1);
    OK(scale(p, host, 8, 2, s));
    for (int i = 0; i < 5; i++)
        OK(scale(p, p, 8, 2, s));
    EQUAL(cudaStreamSynchronize(s), cudaErrorIllegalAddress);
    OK(cudasimGetDeviceCounters(0, &c));
    EQUAL(c.n_launches, 1);
}

static void an_event_reports_it(void)
{
    cudaEvent_t e;
    float *p = device_floats(8, 1);
    float host[8];
    OK(cudaEventCreate(&e));
    OK(scale(p, host, 8, 2, 0));
    OK(cudaEventRecord(e, 0));
    EQUAL(cudaEventSynchronize(e), cudaErrorIllegalAddress);
    EQUAL(cudaEventQuery(e), cudaErrorIllegalAddress);
}

static void polling_reports_it(void)
{
    cudaStream_t s;
    float *p = device_floats(8, 1);
    float host[8];
    OK(cudaStreamCreate(&s));
    OK(scale(p, host, 8, 2, s));
    cudaError_t error;
    while ((error = cudaStreamQuery(s)) == cudaErrorNotReady)
        ;
    EQUAL(error, cudaErrorIllegalAddress);
}

/* Device-side asserts */

typedef struct Pick {
    const int64_t *index;
    int64_t n, limit;
} Pick;

static void pick_run(void *arguments)
{
    const Pick *k = arguments;
    for (int64_t i = 0; i < k->n; i++)
        if (k->index[i] < 0 || k->index[i] >= k->limit)
            cudasimDeviceAssert("t >= 0 && t < n_classes", "loss.k.h", 12,
                                "pick", i);
}

static void pick_kernel(void)
{
}

/* seeds 1.14: a class target out of range. */
static void an_assert_fails(void)
{
    const CudasimKernel info = {"pick", pick_run, sizeof(Pick), 1, NULL, 0};
    const void *func = (const void *)(uintptr_t)pick_kernel;
    int64_t host[300] = {0};
    void *p;
    host[259] = 7;
    OK(cudasimRegisterKernel(func, &info));
    OK(cudaMalloc(&p, sizeof host));
    OK(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice));
    Pick k = {p, 300, 2};
    OK(cudaLaunchKernel(func, (dim3){2, 1, 1}, (dim3){256, 1, 1},
                        (void *[]){&k}, 0, 0));
    EQUAL(cudaDeviceSynchronize(), cudaErrorAssert);
    EQUAL(strcmp(cudaGetErrorString(cudaErrorAssert),
                 "device-side assert triggered"),
          0);
    EQUAL(cudaMalloc(&p, 8), cudaErrorAssert); // sticky
}

static void the_assert_prints_cudas_line(void **state)
{
    (void)state;
    dies(an_assert_fails, NULL, 0,
         "loss.k.h:12: pick: block: [1,0,0], thread: [3,0,0] Assertion `t >= "
         "0 && t < n_classes` failed.\n");
}

static void the_nth_launch_fails(void)
{
    float *p = device_floats(8, 1);
    cudasimFailAfter(CUDASIM_FAIL_LAUNCH, 1);
    OK(scale(p, p, 8, 2, 0));
    OK(scale(p, p, 8, 2, 0));
    EQUAL(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
    EQUAL(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ALONE(the_last_error),
        ALONE(the_last_error_is_the_threads_own),
        ALONE(a_fault_is_reported_later),
        ALONE(launch_blocking_brings_it_home, "CUDA_LAUNCH_BLOCKING=1"),
        ALONE(a_fault_sticks),
        ALONE(what_still_works_after_a_fault),
        ALONE(a_fault_stays_on_its_device),
        ALONE(what_was_queued_is_dropped),
        ALONE(an_event_reports_it),
        ALONE(polling_reports_it),
        ALONE(polling_reports_it, "SIM_ORDER=adversarial"),
        ALONE(an_assert_fails),
        cmocka_unit_test(the_assert_prints_cudas_line),
        ALONE(the_nth_launch_fails),
    };
    return cmocka_run_group_tests_name("sim errors", tests, NULL, NULL);
}

/* Errors on any GPU, simulated or real: the last one of a thread, the one that
 * sticks, and when each is reported. */
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

/* A device whose next wait finds error 700: a kernel that reads at NULL. */
static float *break_device(void)
{
    float *p = device_floats(8, 1);
    OK(scale(p, NULL, 8, 2, 0));
    return p;
}

/* seeds 1.9: the call that fails is not the call that was wrong. */
static void a_fault_is_reported_later(void)
{
    float *p = break_device();
    float host;
    EQUAL(cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost),
          cudaErrorIllegalAddress);
}

/* Some machines let a GPU read any host memory: there this is no fault. */
static void a_host_pointer_is_a_fault(void)
{
    int everywhere = 0;
    float host[8] = {0};
    float *p = device_floats(8, 1);
    OK(cudaDeviceGetAttribute(&everywhere, cudaDevAttrPageableMemoryAccess, 0));
    OK(scale(p, host, 8, 2, 0));
    EQUAL(cudaDeviceSynchronize(),
          everywhere ? cudaSuccess : cudaErrorIllegalAddress);
}

static void a_refused_launch_is_no_fault(void)
{
    float *p = device_floats(8, 1);
    dim3 one = {1, 1, 1};
    const dim3 bad[] = {{0, 1, 1}, {1025, 1, 1}, {32, 33, 1}, {1, 1, 65}};
    for (int i = 0; i < 4; i++) {
        EQUAL(scale_shaped(p, p, 8, 2, 0, one, bad[i]),
              cudaErrorInvalidConfiguration);
        EQUAL(cudaGetLastError(), cudaErrorInvalidConfiguration);
    }
    EQUAL(scale_shaped(p, p, 8, 2, 0, (dim3){1, 65536, 1}, one),
          cudaErrorInvalidConfiguration);
    OK(cudaDeviceSynchronize());
    TRUE(float_at(p) == 1);
}

static void the_host_reads_a_device(void)
{
    volatile float *p = device_floats(8, 1);
    _exit((int)p[0]);
}

static void the_host_is_stopped(void **state)
{
    (void)state;
    dies(the_host_reads_a_device, NULL, -SIGSEGV, "");
}

/* seeds 1.9: with CUDA_LAUNCH_BLOCKING=1 it is. */
static void launch_blocking_brings_it_home(void)
{
    float *p = device_floats(8, 1);
    OK(scale(p, p, 8, 2, 0));
    EQUAL(scale(p, NULL, 8, 2, 0), cudaErrorIllegalAddress);
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
}

static void an_event_reports_it(void)
{
    cudaEvent_t e;
    float *p = device_floats(8, 1);
    OK(cudaEventCreate(&e));
    OK(scale(p, NULL, 8, 2, 0));
    OK(cudaEventRecord(e, 0));
    EQUAL(cudaEventSynchronize(e), cudaErrorIllegalAddress);
    EQUAL(cudaEventQuery(e), cudaErrorIllegalAddress);
}

static void polling_reports_it(void)
{
    cudaStream_t s;
    float *p = device_floats(8, 1);
    OK(cudaStreamCreate(&s));
    OK(scale(p, NULL, 8, 2, s));
    cudaError_t error;
    while ((error = cudaStreamQuery(s)) == cudaErrorNotReady)
        ;
    EQUAL(error, cudaErrorIllegalAddress);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ALONE(the_last_error),
        ALONE(the_last_error_is_the_threads_own),
        ALONE(launch_blocking_brings_it_home, "CUDA_LAUNCH_BLOCKING=1"),
        ALONE(a_fault_sticks),
        ALONE(an_event_reports_it),
        ALONE(polling_reports_it),
        ALONE(polling_reports_it, "SIM_ORDER=adversarial"),
        ALONE(a_fault_is_reported_later),
        ALONE(a_host_pointer_is_a_fault),
        ALONE(a_refused_launch_is_no_fault),
        cmocka_unit_test(the_host_is_stopped),
    };
    return cmocka_run_group_tests_name("both errors", tests, NULL, NULL);
}

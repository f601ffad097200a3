/* Errors: the last one of a thread, the one that sticks, and when each is
 * reported. */
#include "alone.h"
#include "cudasim.h" // defines: what the simulator adds

#include <pthread.h>

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

/* Our choice: nothing but a new process helps. */
static void resetting_does_not_help(void)
{
    void *q;
    break_device();
    EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    EQUAL(cudaDeviceReset(), cudaErrorIllegalAddress);
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

        ALONE(a_fault_is_reported_later),

        ALONE(resetting_does_not_help),
        ALONE(what_still_works_after_a_fault),
        ALONE(a_fault_stays_on_its_device),
        ALONE(what_was_queued_is_dropped),

        ALONE(an_assert_fails),
        cmocka_unit_test(the_assert_prints_cudas_line),
        ALONE(the_nth_launch_fails),
    };
    return cmocka_run_group_tests_name("sim errors", tests, NULL, NULL);
}

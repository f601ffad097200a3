/* Host and devices keep out of each other's memory. */
#include "alone.h"

#include <signal.h>

static void host_reads_device_memory(void)
{
    volatile float *p = device_floats(1024, 1.0f);
    _exit((int)p[16]);
}

static void host_writes_device_memory(void)
{
    char *p;
    OK(cudaSetDevice(5));
    OK(cudaMalloc((void **)&p, 100));
    memset(p, 0, 100);
}

static void host_reads_freed_memory(void)
{
    volatile float *p = device_floats(8, 1.0f);
    OK(cudaFree((void *)(uintptr_t)p));
    _exit((int)p[0]);
}

static void host_reads_past_the_end(void)
{
    volatile char *p;
    OK(cudaMalloc((void **)(uintptr_t)&p, 512));
    _exit(p[512]);
}

static void host_reads_pool_memory(void)
{
    volatile char *p;
    OK(cudaMallocAsync((void **)(uintptr_t)&p, 256, 0));
    _exit(p[255]);
}

static void host_reads_nowhere(void)
{
    void *p;
    OK(cudaMalloc(&p, 8));
    volatile char *volatile nothing = (char *)16;
    _exit(nothing[0]);
}

static void the_host_is_stopped_with_a_sentence(void **state)
{
    (void)state;
    // AddressSanitizer keeps out when the handler is there: both end alike.
    dies(host_reads_device_memory, NULL, -SIGSEGV,
         "at byte 64 of the 4096 bytes that cudaMalloc gave on GPU 0.");
    assert_non_null(strstr(said, "cudaMemcpy(host, device, bytes, "
                                 "cudaMemcpyDeviceToHost)"));
    dies(host_writes_device_memory, NULL, -SIGSEGV,
         "at byte 0 of the 100 bytes that cudaMalloc gave on GPU 5.");
    dies(host_reads_freed_memory, NULL, -SIGSEGV,
         "at byte 0 of 32 bytes on GPU 0 that have been freed.");
    dies(host_reads_past_the_end, NULL, -SIGSEGV,
         "just past the 512 bytes that cudaMalloc gave on GPU 0.");
    dies(host_reads_pool_memory, NULL, -SIGSEGV,
         "at byte 255 of the 256 bytes that cudaMallocAsync gave on GPU 0.");
}

static void another_fault_is_none_of_ours(void **state)
{
    (void)state;
    dies(host_reads_nowhere, NULL, -SIGSEGV, "");
    assert_null(strstr(said, "cudasim"));
}

static sigjmp_buf out;

static void jump_out(int number)
{
    (void)number;
    siglongjmp(out, 1);
}

/* A handler that was there before is asked about faults that are not ours. */
static void earlier_handlers_are_kept(void)
{
    void *p;
    signal(SIGSEGV, jump_out);
    OK(cudaMalloc(&p, 8));
    if (sigsetjmp(out, 1) == 0) {
        volatile char *volatile nothing = (char *)16;
        nothing[0] = 1;
        _exit(2);
    }
    OK(cudaFree(p));
}

/* It is told of the host's fault at a device address as well, as it would be
 * on a machine with GPUs. */
static void earlier_handlers_hear_of_the_hosts(void)
{
    volatile char *p;
    signal(SIGSEGV, jump_out);
    OK(cudaMalloc((void **)(uintptr_t)&p, 8));
    if (sigsetjmp(out, 1) == 0) {
        p[0] = 1;
        _exit(2);
    }
    OK(cudaFree((void *)(uintptr_t)p));
}

/* One that came later is not asked about a kernel's, and stays. */
static void later_handlers_are_kept(void)
{
    float host[8] = {0};
    float *p = device_floats(8, 1);
    signal(SIGSEGV, jump_out);
    if (sigsetjmp(out, 1) != 0)
        _exit(2);
    OK(scale(p, host, 8, 2, 0));
    EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    if (sigsetjmp(out, 1) == 0) {
        volatile char *volatile nothing = (char *)16;
        nothing[0] = 1;
        _exit(3);
    }
}

/* A kernel's bad pointer: 700 at a later call, and for good. */
static void expect_fault(float *out_pointer, const float *in_pointer, int64_t n)
{
    OK(scale(out_pointer, in_pointer, n, 2, 0)); // nothing wrong yet
    OK(cudaGetLastError());
    EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

static void kernel_given_a_host_pointer(void)
{
    float host[8] = {0};
    expect_fault(device_floats(8, 1), host, 8);
}

static void kernel_given_a_host_pointer_to_write(void)
{
    float host[8] = {0};
    float *p = device_floats(8, 1);
    expect_fault(host, p, 8);
    EQUAL(host[0], 0);
}

static void kernel_given_a_freed_pointer(void)
{
    float *p = device_floats(8, 1);
    float *q = device_floats(8, 1);
    OK(cudaFree(p));
    expect_fault(q, p, 8);
}

static void kernel_given_null(void)
{
    expect_fault(NULL, device_floats(8, 1), 8);
}

static void kernel_given_another_gpus_pointer(void)
{
    OK(cudaSetDevice(1));
    float *there = device_floats(8, 1);
    OK(cudaSetDevice(0));
    float *here = device_floats(8, 1);
    expect_fault(here, there, 8);
}

static void kernel_runs_past_the_end(void)
{
    float *p = device_floats(1000, 1);
    expect_fault(p, p, 1001);
}

static void kernel_runs_before_the_start(void)
{
    float *p = device_floats(1024, 1);
    expect_fault(p - 1, p, 8);
}

static void kernel_with_peer_access(void)
{
    OK(cudaSetDevice(1));
    float *there = device_floats(8, 3);
    OK(cudaSetDevice(0));
    OK(cudaDeviceEnablePeerAccess(1, 0));
    float *here = device_floats(8, 0);
    OK(scale(here, there, 8, 2, 0));
    TRUE(float_at(here + 7) == 6);
    OK(cudaDeviceDisablePeerAccess(1));
    expect_fault(here, there, 8);
}

static void peer_access_goes_one_way(void)
{
    OK(cudaSetDevice(1));
    float *there = device_floats(8, 3);
    OK(cudaSetDevice(0));
    float *here = device_floats(8, 3);
    OK(cudaDeviceEnablePeerAccess(1, 0));
    OK(cudaSetDevice(1));
    expect_fault(there, here, 8);
}

static void kernel_on_page_locked_memory(void)
{
    float *locked;
    float registered[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    OK(cudaMallocHost((void **)&locked, 32));
    OK(cudaHostRegister(registered, sizeof registered, 0));
    OK(cudaSetDevice(2)); // any device may
    OK(scale(locked, registered, 8, 5, 0));
    OK(cudaDeviceSynchronize());
    TRUE(locked[7] == 5);
    OK(cudaHostUnregister(registered));
    expect_fault(locked, registered, 8);
}

/* As on a GPU, a bad pointer that is never followed does no harm. */
static void pointers_not_followed_are_harmless(void)
{
    float host[1] = {0};
    OK(scale(host, host, 0, 1, 0));
    OK(cudaDeviceSynchronize());
}

static void the_log_says_why(void **state)
{
    (void)state;
    run_child(&(Alone){kernel_given_a_host_pointer, {"SIM_LOG=1"}});
    assert_non_null(strstr(said, "kernel scale on GPU 0: pointer 0 is host "
                                 "memory that is not page-locked"));
    run_child(&(Alone){kernel_given_a_freed_pointer, {"SIM_LOG=1"}});
    assert_non_null(strstr(said, "pointer 0 is freed memory"));
    run_child(&(Alone){kernel_given_another_gpus_pointer, {"SIM_LOG=1"}});
    assert_non_null(strstr(said, "pointer 0 is GPU 1's memory and peer access "
                                 "is not enabled"));
    run_child(&(Alone){kernel_runs_past_the_end, {"SIM_LOG=1"}});
    assert_non_null(strstr(said, "ran outside the memory it was given"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_host_is_stopped_with_a_sentence),
        cmocka_unit_test(another_fault_is_none_of_ours),
        ALONE(earlier_handlers_are_kept),
        ALONE(earlier_handlers_hear_of_the_hosts),
        ALONE(later_handlers_are_kept),
        ALONE(kernel_given_a_host_pointer),
        ALONE(kernel_given_a_host_pointer_to_write),
        ALONE(kernel_given_a_freed_pointer),
        ALONE(kernel_given_null),
        ALONE(kernel_given_another_gpus_pointer),
        ALONE(kernel_runs_past_the_end),
        ALONE(kernel_runs_before_the_start),
        ALONE(kernel_with_peer_access),
        ALONE(peer_access_goes_one_way),
        ALONE(kernel_on_page_locked_memory),
        ALONE(pointers_not_followed_are_harmless),
        cmocka_unit_test(the_log_says_why),
    };
    return cmocka_run_group_tests_name("sim isolation", tests, NULL, NULL);
}

/* Questions to the simulated machine with eight GPUs, and the current one. */
#include "base/status.h"   // defines: status_take, status_sentence
#include "device/device.h" // defines: cuda_device_count, CudaScope, cuda_check
#include <cuda_runtime.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Block C of the seeds. */
static const char *const bad_ordinal =
    "CUDA error: invalid device ordinal\n"
    "CUDA kernel errors might be asynchronously reported at some other API "
    "call, so the stacktrace below might be incorrect.\n"
    "For debugging consider passing CUDA_LAUNCH_BLOCKING=1.\n"
    "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.";

static void eight_gpus_are_there(void **state)
{
    (void)state;
    assert_true(cuda_is_available());         // seeds 0.2
    assert_int_equal(cuda_device_count(), 8); // seeds 0.3
    assert_string_equal(cuda_device_name(0),
                        "Tesla V100-PCIE-32GB"); // seeds 0.4
    assert_ptr_equal(cuda_device_name(0), cuda_device_name(0));
    assert_int_equal(cuda_current_device(), 0); // seeds 0.16
}

static void properties_are_the_machines(void **state)
{
    (void)state;
    CudaProperties p;
    assert_int_equal(cuda_properties(3, &p), OK);
    assert_int_equal(p.major, 7);
    assert_int_equal(p.minor, 0);
    assert_int_equal(p.n_multiprocessors, 80);
    assert_int_equal(p.max_threads_per_multiprocessor, 2048);
    assert_int_equal(strlen(p.uuid), 36);
    assert_int_equal(p.uuid[8], '-');
    assert_int_equal(p.uuid[23], '-');
    assert_int_equal(strlen(p.pci_bus_id), 12);
    size_t free_bytes = 0;
    size_t total_bytes = 0;
    assert_int_equal(cuda_mem_info(3, &free_bytes, &total_bytes), OK);
    assert_int_equal(total_bytes, p.total_bytes);
    assert_true(free_bytes > 0 && free_bytes <= total_bytes);
    assert_int_equal(cuda_current_device(), 0);
}

static void an_unknown_id_is_refused(void **state)
{
    (void)state;
    CudaProperties p;
    assert_int_equal(cuda_properties(8, &p), ERR_ASSERTION);
    assert_string_equal(status_sentence(), "Invalid device id");
    status_take();
    assert_null(cuda_device_name(-1));
    assert_int_equal(status_take(), ERR_ASSERTION);
}

static void the_ordinal_must_exist(void **state)
{
    (void)state;
    Device device = device_cpu();
    assert_int_equal(device_resolve(device_cuda(7), &device), OK);
    assert_int_equal(device.index, 7);
    assert_int_equal(device_resolve(device_cuda(8), &device), ERR_CUDA);
    assert_string_equal(status_sentence(), bad_ordinal);
    assert_int_equal(status_take(), ERR_CUDA);
    assert_int_equal(device.index, 7);
    assert_int_equal(cuda_set_device(8), ERR_CUDA);
    assert_string_equal(status_sentence(), bad_ordinal);
    status_take();
    // seeds T22: it is told at once, and it is over.
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    assert_int_equal(cuda_synchronize(0), OK);
}

static void blocking_launches_drop_the_advice(void **state)
{
    (void)state;
    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
    assert_int_equal(cuda_check(cudaErrorInvalidDevice), ERR_CUDA);
    assert_string_equal(status_sentence(),
                        "CUDA error: invalid device ordinal");
    status_take();
    setenv("CUDA_LAUNCH_BLOCKING", "0", 1);
    cuda_check(cudaErrorInvalidDevice);
    assert_string_equal(status_sentence(), bad_ordinal);
    status_take();
    unsetenv("CUDA_LAUNCH_BLOCKING");
    assert_int_equal(cuda_check(cudaSuccess), OK);
}

static void an_error_is_told_once(void **state)
{
    (void)state;
    assert_int_equal(cudaSetDevice(99), cudaErrorInvalidDevice);
    cuda_check(cudaErrorInvalidDevice);
    status_take();
    assert_int_equal(cudaPeekAtLastError(), cudaSuccess);
}

static void the_current_device_changes(void **state)
{
    (void)state;
    Device device;
    assert_int_equal(cuda_set_device(1), OK); // seeds 3.10
    assert_int_equal(cuda_current_device(), 1);
    assert_int_equal(device_resolve(device_cuda(-1), &device), OK);
    assert_int_equal(device.index, 1); // seeds T16
    assert_int_equal(cuda_set_device(-1), OK);
    assert_int_equal(cuda_current_device(), 1);
    assert_int_equal(cuda_set_device(0), OK);
}

/* seeds 2.3, seeds T3 */
static void a_scope_changes_it_when_entered(void **state)
{
    (void)state;
    CudaScope scope;
    assert_int_equal(cuda_scope_make(device_cuda(5), &scope), OK);
    assert_int_equal(cuda_current_device(), 0);
    assert_int_equal(cuda_scope_enter(&scope), OK);
    assert_int_equal(cuda_current_device(), 5);
    assert_int_equal(cuda_scope_leave(&scope), OK);
    assert_int_equal(cuda_current_device(), 0);
    // Naming an absent GPU does not fail, entering it does.
    assert_int_equal(cuda_scope_make(device_cuda(9), &scope), OK);
    assert_int_equal(cuda_scope_enter(&scope), ERR_CUDA);
    assert_string_equal(status_sentence(), bad_ordinal);
    status_take();
    assert_int_equal(cuda_current_device(), 0);
    assert_int_equal(cuda_scope_make(device_cpu(), &scope), ERR_VALUE);
    assert_string_equal(status_sentence(),
                        "Expected a cuda device, but got: cpu");
    status_take();
    // A plain 'cuda' is the device that was current when it was made.
    assert_int_equal(cuda_scope_make(device_cuda(-1), &scope), OK);
    assert_int_equal(scope.device.index, 0);
}

static void try_gpu_falls_back(void **state)
{
    (void)state;
    assert_true(device_equal(try_gpu(0), device_cuda(0)));
    assert_true(device_equal(try_gpu(7), device_cuda(7)));
    assert_true(device_equal(try_gpu(10), device_cpu())); // seeds 2.5
    assert_int_equal(status_peek(), OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_gpus_are_there),
        cmocka_unit_test(properties_are_the_machines),
        cmocka_unit_test(an_unknown_id_is_refused),
        cmocka_unit_test(the_ordinal_must_exist),
        cmocka_unit_test(blocking_launches_drop_the_advice),
        cmocka_unit_test(an_error_is_told_once),
        cmocka_unit_test(the_current_device_changes),
        cmocka_unit_test(a_scope_changes_it_when_entered),
        cmocka_unit_test(try_gpu_falls_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

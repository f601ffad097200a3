/* Machines with fewer GPUs than a program hopes for: no driver, no GPU, one.
 * Run once for each; SIM_MACHINE says which. */
#include "base/status.h"    // defines: status_take, status_sentence
#include "device/device.h"  // defines: device_resolve, cuda_is_available
#include "device/storage.h" // defines: storage_new
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *why_not(void)
{
    if (strcmp(getenv("SIM_MACHINE"), "nodriver") == 0)
        return "Found no NVIDIA driver on your system. Please check that you "
               "have an NVIDIA GPU and installed a driver from "
               "http://www.nvidia.com/Download/index.aspx";
    if (strcmp(getenv("SIM_MACHINE"), "none") == 0)
        return "No CUDA GPUs are available";
    return NULL; // there is one
}

static void fails_with(Status status, const char *sentence)
{
    assert_int_not_equal(status, OK);
    assert_string_equal(status_sentence(), sentence);
    assert_int_equal(status_take(), status);
}

/* seeds 0.17: asking never fails */
static void asking_is_free(void **state)
{
    (void)state;
    int n = why_not() ? 0 : 1;
    assert_int_equal(cuda_is_available(), n > 0);
    assert_int_equal(cuda_device_count(), n);
    assert_int_equal(status_peek(), OK);
    status_fail(ERR_VALUE, "an older one");
    assert_int_equal(cuda_device_count(), n);
    assert_string_equal(status_sentence(), "an older one");
    assert_int_equal(status_take(), ERR_VALUE);
}

/* seeds 2.5 */
static void try_gpu_takes_what_there_is(void **state)
{
    (void)state;
    Device first = why_not() ? device_cpu() : device_cuda(0);
    assert_true(device_equal(try_gpu(0), first));
    assert_true(device_equal(try_gpu(1), device_cpu()));
    assert_int_equal(status_peek(), OK);
}

/* seeds 0.17, seeds 1.8, seeds T18 */
static void using_fails_in_words(void **state)
{
    (void)state;
    Device device;
    CudaProperties properties;
    const char *why = why_not();
    const char *ordinal =
        "CUDA error: invalid device ordinal\n"
        "CUDA kernel errors might be asynchronously reported at some other API "
        "call, so the stacktrace below might be incorrect.\n"
        "For debugging consider passing CUDA_LAUNCH_BLOCKING=1.\n"
        "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.";
    fails_with(device_resolve(device_cuda(1), &device), why ? why : ordinal);
    fails_with(cuda_set_device(1), why ? why : ordinal);
    fails_with(cuda_synchronize(1), why ? why : ordinal);
    fails_with(cuda_properties(1, &properties),
               why ? why : "Invalid device id");
}

static void the_current_device_needs_one(void **state)
{
    (void)state;
    if (!why_not()) {
        assert_int_equal(cuda_current_device(), 0);
        return;
    }
    assert_int_equal(cuda_current_device(), -1);
    assert_string_equal(status_sentence(), why_not());
    status_take();
    CudaScope scope;
    fails_with(cuda_scope_make(device_cuda(-1), &scope), why_not());
}

static void the_cpu_is_always_there(void **state)
{
    (void)state;
    Storage *storage = storage_new(device_cpu(), 64);
    assert_non_null(storage);
    assert_false(storage_is_pinned(storage));
    storage_release(storage);
    storage = storage_new_pinned(64); // for a GPU, so that one must be there
    assert_int_equal(storage == NULL, why_not() != NULL);
    if (why_not())
        fails_with(status_peek(), why_not());
    storage_release(storage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asking_is_free),
        cmocka_unit_test(try_gpu_takes_what_there_is),
        cmocka_unit_test(using_fails_in_words),
        cmocka_unit_test(the_current_device_needs_one),
        cmocka_unit_test(the_cpu_is_always_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

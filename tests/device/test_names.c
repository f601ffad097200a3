/* Devices as names: printed and read as PyTorch does. */
#include "base/status.h"   // defines: status_take, status_sentence
#include "device/device.h" // defines: Device, device_parse, device_repr
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void names_print(void **state)
{
    (void)state;
    assert_string_equal(device_str(device_cuda(7)).text, "cuda:7");
    assert_string_equal(device_str(device_cuda(-1)).text, "cuda");
    assert_string_equal(device_str(device_cpu()).text, "cpu");
    // seeds 0.7, seeds 2.2
    assert_string_equal(device_repr(device_cuda(7)).text,
                        "device(type='cuda', index=7)");
    assert_string_equal(device_repr(device_cuda(-1)).text,
                        "device(type='cuda')");
    assert_string_equal(device_repr(device_cpu()).text, "device(type='cpu')");
}

static void names_compare(void **state)
{
    (void)state;
    assert_true(device_equal(device_cuda(1), device_cuda(1)));
    assert_false(device_equal(device_cuda(1), device_cuda(2)));
    assert_false(device_equal(device_cuda(-1), device_cuda(0)));
    assert_false(device_equal(device_cuda(-1), device_cpu()));
    assert_true(device_is_cuda(device_cuda(-1)));
    assert_false(device_is_cuda(device_cpu()));
}

static void strings_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        Device device;
    } good[] = {
        {"cpu", {DEVICE_CPU, -1}},        {"cuda", {DEVICE_CUDA, -1}},
        {"cuda:0", {DEVICE_CUDA, 0}},     {"cuda:7", {DEVICE_CUDA, 7}},
        {"cpu:0", {DEVICE_CPU, 0}},       {"cuda:12", {DEVICE_CUDA, 12}},
        {"cuda:128", {DEVICE_CUDA, 128}},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        Device device;
        assert_int_equal(device_parse(good[i].text, &device), OK);
        assert_true(device_equal(device, good[i].device));
    }
}

static void refused(const char *text, const char *sentence)
{
    Device device = {DEVICE_CUDA, 5};
    assert_int_equal(device_parse(text, &device), ERR_RUNTIME);
    assert_string_equal(status_sentence(), sentence);
    assert_int_equal(status_take(), ERR_RUNTIME);
    assert_true(device_equal(device, device_cuda(5)));
}

static void bad_strings_are_refused(void **state)
{
    (void)state;
    refused("", "Device string must not be empty");
    refused("cuda:", "Invalid device string: 'cuda:'");
    refused("cuda:-1", "Invalid device string: 'cuda:-1'"); // seeds T24
    refused("cuda:a", "Invalid device string: 'cuda:a'");
    refused("cuda:01", "Invalid device string: 'cuda:01'");
    refused("cuda 0", "Invalid device string: 'cuda 0'");
    refused("cuda0", "Invalid device string: 'cuda0'");
    refused(":1", "Invalid device string: ':1'");
    refused("cuda:0:1", "Invalid device string: 'cuda:0:1'");
    refused("gpu:0",
            "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, "
            "ideep, hip, ve, fpga, ort, xla, lazy, vulkan, mps, meta, hpu, "
            "privateuseone device type at start of device string: gpu");
    refused("CUDA",
            "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, "
            "ideep, hip, ve, fpga, ort, xla, lazy, vulkan, mps, meta, hpu, "
            "privateuseone device type at start of device string: CUDA");
    refused("mps", "Device type 'mps' is PyTorch's but not this workbook's: "
                   "use 'cpu' or 'cuda'");
    refused("cuda:99999999999",
            "Could not parse device index '99999999999' in device string "
            "'cuda:99999999999'");
}

static void the_cpu_resolves_to_itself(void **state)
{
    (void)state;
    Device device;
    assert_int_equal(device_resolve((Device){DEVICE_CPU, 0}, &device), OK);
    assert_true(device_equal(device, device_cpu()));
    assert_int_equal(device_resolve((Device){DEVICE_CPU, 1}, &device),
                     ERR_RUNTIME);
    assert_string_equal(status_sentence(),
                        "CPU device index must be -1 or zero, got 1");
    status_take();
    assert_int_equal(device_resolve((Device){DEVICE_CUDA, -2}, &device),
                     ERR_RUNTIME);
    assert_string_equal(status_sentence(), "Device index must not be negative");
    status_take();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_print),
        cmocka_unit_test(names_compare),
        cmocka_unit_test(strings_are_read),
        cmocka_unit_test(bad_strings_are_refused),
        cmocka_unit_test(the_cpu_resolves_to_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

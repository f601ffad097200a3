/* Devices as names: making, comparing, printing and reading them. */
#include "device/device.h" // defines: Device, device_parse, device_str
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Device device_cpu(void)
{
    return (Device){DEVICE_CPU, -1};
}

Device device_cuda(int index)
{
    return (Device){DEVICE_CUDA, index};
}

bool device_is_cuda(Device device)
{
    return device.kind == DEVICE_CUDA;
}

bool device_equal(Device a, Device b)
{
    return a.kind == b.kind && a.index == b.index;
}

static const char *kind_name(DeviceKind kind)
{
    return kind == DEVICE_CUDA ? "cuda" : "cpu";
}

DeviceText device_str(Device device)
{
    DeviceText out;
    if (device.index < 0)
        snprintf(out.text, sizeof out.text, "%s", kind_name(device.kind));
    else
        snprintf(out.text, sizeof out.text, "%s:%d", kind_name(device.kind),
                 device.index);
    return out;
}

DeviceText device_repr(Device device)
{
    DeviceText out;
    const char *kind = kind_name(device.kind);
    if (device.index < 0)
        snprintf(out.text, sizeof out.text, "device(type='%s')", kind);
    else
        snprintf(out.text, sizeof out.text, "device(type='%s', index=%d)", kind,
                 device.index);
    return out;
}

/* PyTorch 1.13 knows these names too; this library has only two of them. */
static const char *const other_types[] = {
    "ipu",    "xpu", "mkldnn", "opengl", "opencl",        "ideep",
    "hip",    "ve",  "fpga",   "ort",    "xla",           "lazy",
    "vulkan", "mps", "meta",   "hpu",    "privateuseone",
};

static Status parse_type(const char *text, int length, DeviceKind *out)
{
    if (length == 3 && memcmp(text, "cpu", 3) == 0) {
        *out = DEVICE_CPU;
        return OK;
    }
    if (length == 4 && memcmp(text, "cuda", 4) == 0) {
        *out = DEVICE_CUDA;
        return OK;
    }
    for (size_t i = 0; i < sizeof other_types / sizeof *other_types; i++)
        if (strlen(other_types[i]) == (size_t)length &&
            memcmp(text, other_types[i], (size_t)length) == 0)
            return status_fail(ERR_RUNTIME,
                               "Device type '%s' is PyTorch's but not this "
                               "workbook's: use 'cpu' or 'cuda'",
                               other_types[i]);
    return status_fail(
        ERR_RUNTIME,
        "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, "
        "hip, ve, fpga, ort, xla, lazy, vulkan, mps, meta, hpu, privateuseone "
        "device type at start of device string: %.*s",
        length, text);
}

/* Does it read [a-zA-Z_]+(:(0|[1-9][0-9]*))? ? The length of the type's part,
 * or 0. */
static int type_length(const char *text)
{
    const char *letters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    size_t n = strspn(text, letters);
    if (n == 0 || text[n] == '\0')
        return (int)n;
    if (text[n] != ':')
        return 0;
    const char *digits = text + n + 1;
    size_t n_digits = strspn(digits, "0123456789");
    bool leading_zero = digits[0] == '0' && n_digits > 1;
    if (n_digits == 0 || digits[n_digits] != '\0' || leading_zero)
        return 0;
    return (int)n;
}

Status device_parse(const char *text, Device *out)
{
    if (text[0] == '\0')
        return status_fail(ERR_RUNTIME, "Device string must not be empty");
    int n = type_length(text);
    if (n == 0)
        return status_fail(ERR_RUNTIME, "Invalid device string: '%s'", text);
    Device device = {DEVICE_CPU, -1};
    TRY(parse_type(text, n, &device.kind));
    if (text[n] == ':') {
        errno = 0;
        long index = strtol(text + n + 1, NULL, 10);
        if (errno != 0 || index > INT_MAX)
            return status_fail(ERR_RUNTIME,
                               "Could not parse device index '%s' in device "
                               "string '%s'",
                               text + n + 1, text);
        device.index = (int)index;
    }
    *out = device;
    return OK;
}

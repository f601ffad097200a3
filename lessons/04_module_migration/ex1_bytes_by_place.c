/* Lesson 04, exercise 1: a walk through a module.
 *
 * How many bytes of this module lie on `device`? Count its parameters and its
 * buffers, children included. Copy nothing.
 *
 * check  scripts/learn check 04 ex1
 */
#include "device/device.h" // defines: Device, device_equal
#include "nn/module.h"     // defines: Module, module_each_parameter
#include "tensor/tensor.h" // defines: tensor_device, tensor_nbytes

/* What the walk carries along. */
typedef struct Count {
    Device device;
    size_t n_bytes;
} Count;

static bool add_bytes(void *context, const char *name, Tensor *x)
{
    Count *count = context;
    (void)name;
    // TODO: count x, if it lies on count->device
    (void)count;
    (void)x;
    return true; // go on
}

size_t bytes_on(const Module *net, Device device)
{
    Count count = {.device = device, .n_bytes = 0};
    module_each_parameter(net, add_bytes, &count);
    // TODO: is that all that a module owns?
    return count.n_bytes;
}

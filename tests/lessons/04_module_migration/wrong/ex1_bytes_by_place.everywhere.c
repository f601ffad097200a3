/* A wrong answer, kept to be recognised: the place is not asked. */
#include "device/device.h" // defines: Device, device_equal
#include "nn/module.h"     // defines: Module, module_each_parameter
#include "tensor/tensor.h" // defines: tensor_device, tensor_nbytes

typedef struct Count {
    Device device;
    size_t n_bytes;
} Count;

static bool add_bytes(void *context, const char *name, Tensor *x)
{
    Count *count = context;
    (void)name;
    count->n_bytes += tensor_nbytes(x);
    return true;
}

size_t bytes_on(const Module *net, Device device)
{
    Count count = {.device = device, .n_bytes = 0};
    module_each_parameter(net, add_bytes, &count);
    module_each_buffer(net, add_bytes, &count);
    return count.n_bytes;
}

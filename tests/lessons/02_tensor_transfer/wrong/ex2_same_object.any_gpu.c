/* A wrong answer, kept to be recognised: all GPUs are taken for one place. */
#include "device/device.h" // defines: Device, device_equal, device_is_cuda
#include <stdbool.h>

bool is_same_object(Device from, Device to)
{
    return device_is_cuda(from) == device_is_cuda(to);
}

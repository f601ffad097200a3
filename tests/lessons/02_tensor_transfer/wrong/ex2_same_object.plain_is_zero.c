/* A wrong answer, kept to be recognised: plain cuda is taken for cuda:0. */
#include "device/device.h" // defines: Device, device_equal, device_is_cuda
#include <stdbool.h>

bool is_same_object(Device from, Device to)
{
    if (device_is_cuda(to) && to.index < 0)
        to = device_cuda(0);
    return device_equal(from, to);
}

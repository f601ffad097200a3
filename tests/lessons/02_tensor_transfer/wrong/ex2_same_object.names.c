/* A wrong answer, kept to be recognised: the names are compared before cuda is
 * given its index. */
#include "device/device.h" // defines: Device, device_equal, device_is_cuda
#include <stdbool.h>

bool is_same_object(Device from, Device to)
{
    return device_equal(from, to);
}

/* A wrong answer, kept to be recognised: a call to tensor_to is taken for a
 * copy. */
#include "device/device.h" // defines: Device, device_equal, device_is_cuda
#include <stdbool.h>

bool is_same_object(Device from, Device to)
{
    (void)from;
    (void)to;
    return false;
}

/* A wrong answer, kept to be recognised: all GPUs are taken for one place. */
#include "device/device.h" // defines: Device, device_equal, device_is_cuda
#include <stdbool.h>

bool will_it_add(Device device_a, int dims_a, Device device_b, int dims_b)
{
    bool a_joins = !device_is_cuda(device_a) && dims_a == 0;
    bool b_joins = !device_is_cuda(device_b) && dims_b == 0;
    if (device_is_cuda(device_a) == device_is_cuda(device_b))
        return true;
    return a_joins || b_joins;
}

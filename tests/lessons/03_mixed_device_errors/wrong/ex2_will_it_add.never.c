/* A wrong answer, kept to be recognised: nothing may join. */
#include "device/device.h" // defines: Device, device_equal, device_is_cuda
#include <stdbool.h>

bool will_it_add(Device device_a, int dims_a, Device device_b, int dims_b)
{
    (void)dims_a;
    (void)dims_b;
    return device_equal(device_a, device_b);
}

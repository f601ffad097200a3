/* A wrong answer, kept to be recognised: a plain cuda is taken for GPU 0. */
#include "device/device.h" // defines: Device, device_is_cuda

int physical_of(const int *visible, int n_visible, int current, Device device)
{
    (void)current;
    if (!device_is_cuda(device))
        return -1;
    int logical = device.index < 0 ? 0 : device.index;
    return logical < n_visible ? visible[logical] : -1;
}

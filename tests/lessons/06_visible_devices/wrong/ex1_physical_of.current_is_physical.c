/* A wrong answer, kept to be recognised: the current GPU is not looked up. */
#include "device/device.h" // defines: Device, device_is_cuda

int physical_of(const int *visible, int n_visible, int current, Device device)
{
    if (!device_is_cuda(device))
        return -1;
    if (device.index < 0)
        return current;
    return device.index < n_visible ? visible[device.index] : -1;
}

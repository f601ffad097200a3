/* A wrong answer, kept to be recognised: the index is taken for the machine's.
 */
#include "device/device.h" // defines: Device, device_is_cuda

int physical_of(const int *visible, int n_visible, int current, Device device)
{
    (void)visible;
    if (!device_is_cuda(device))
        return -1;
    int index = device.index < 0 ? current : device.index;
    return index < n_visible ? index : -1;
}

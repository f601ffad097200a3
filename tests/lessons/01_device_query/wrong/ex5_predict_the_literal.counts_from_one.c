/* A wrong answer, kept to be recognised: the last index is taken to be the
 * count. */
#include "device/device.h" // defines: Device, device_is_cuda

const char *predict(Device device, int n_gpus)
{
    if (!device_is_cuda(device))
        return "works";
    if (n_gpus == 0)
        return "no GPU";
    return device.index > n_gpus ? "invalid device ordinal" : "works";
}

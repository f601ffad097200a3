/* A wrong answer, kept to be recognised: without a GPU another sentence comes.
 */
#include "device/device.h" // defines: Device, device_is_cuda

const char *predict(Device device, int n_gpus)
{
    if (device_is_cuda(device) && device.index >= n_gpus)
        return "invalid device ordinal";
    return "works";
}

/* A wrong answer, kept to be recognised: any GPU will do. */
#include "device/device.h" // defines: Device, device_is_cuda

const char *predict(Device device, int n_gpus)
{
    if (!device_is_cuda(device))
        return "works";
    return n_gpus > 0 ? "works" : "no GPU";
}

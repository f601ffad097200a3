/* A wrong answer, kept to be recognised: an index below 0 is let through. */
#include "device/device.h" // defines: Device, cuda_device_count, device_cuda

Device my_try_gpu(int index)
{
    if (index < cuda_device_count())
        return device_cuda(index);
    return device_cpu();
}

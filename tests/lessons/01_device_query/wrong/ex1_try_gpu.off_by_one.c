/* A wrong answer, kept to be recognised: it counts from 1. */
#include "device/device.h" // defines: Device, cuda_device_count, device_cuda

Device my_try_gpu(int index)
{
    if (index >= 0 && index <= cuda_device_count())
        return device_cuda(index);
    return device_cpu();
}

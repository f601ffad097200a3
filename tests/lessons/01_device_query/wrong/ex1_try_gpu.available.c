/* A wrong answer, kept to be recognised: available means at least one. */
#include "device/device.h" // defines: Device, cuda_device_count, device_cuda

Device my_try_gpu(int index)
{
    if (index >= 0 && cuda_is_available())
        return device_cuda(index);
    return device_cpu();
}

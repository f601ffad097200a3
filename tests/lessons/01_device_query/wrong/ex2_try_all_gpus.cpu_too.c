/* A wrong answer, kept to be recognised: the CPU is always added. */
#include "device/device.h" // defines: Device, cuda_device_count, device_cuda

/* out: room for at least one device */
int my_try_all_gpus(Device *out, int room)
{
    int n = cuda_device_count();
    if (n > room - 1)
        n = room - 1;
    for (int i = 0; i < n; i++)
        out[i] = device_cuda(i);
    out[n] = device_cpu();
    return n + 1;
}

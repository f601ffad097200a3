/* A wrong answer, kept to be recognised: without a GPU it writes nothing. */
#include "device/device.h" // defines: Device, cuda_device_count, device_cuda

/* out: room for at least one device */
int my_try_all_gpus(Device *out, int room)
{
    int n = cuda_device_count();
    if (n > room)
        n = room;
    for (int i = 0; i < n; i++)
        out[i] = device_cuda(i);
    return n;
}

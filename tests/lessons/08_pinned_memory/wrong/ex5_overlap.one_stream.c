#include "device/device.h" // defines: device_cuda
#include "device/stream.h" // defines: stream_new, stream_use, stream_wait, ...
#include "tensor/tensor.h" // defines: tensor_to_non_blocking
#include <stddef.h>

Status overlapped(Tensor *const *batches, int n, int gpu,
                  Tensor *(*work)(Tensor *moved), Tensor **results)
{
    for (int i = 0; i < n; i++) {
        results[i] = work(tensor_to_non_blocking(batches[i], device_cuda(gpu)));
        if (results[i] == NULL)
            return status_peek();
    }
    return OK;
}

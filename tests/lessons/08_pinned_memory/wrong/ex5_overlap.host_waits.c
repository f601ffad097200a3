#include "device/device.h" // defines: device_cuda
#include "device/stream.h" // defines: stream_new, stream_use, stream_wait, ...
#include "tensor/tensor.h" // defines: tensor_to_non_blocking
#include <stddef.h>

Status overlapped(Tensor *const *batches, int n, int gpu,
                  Tensor *(*work)(Tensor *moved), Tensor **results)
{
    Stream moves, before = stream_current(gpu);
    TRY(stream_new(gpu, &moves));
    for (int i = 0; i < n; i++) {
        stream_use(moves);
        Tensor *moved = tensor_to_non_blocking(batches[i], device_cuda(gpu));
        stream_use(before);
        TRY(stream_synchronize(moves));
        results[i] = work(moved);
    }
    return stream_destroy(moves);
}

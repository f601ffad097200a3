#include "device/device.h" // defines: cuda_synchronize
#include "tensor/tensor.h" // defines: tensor_to_non_blocking, tensor_device
#include <stddef.h>

Status all_home(Tensor *const *there, int n, Tensor **home)
{
    for (int i = 0; i < n; i++) {
        home[i] = tensor_to_non_blocking(there[i], device_cpu());
        if (home[i] == NULL)
            return status_peek();
    }
    return OK;
}

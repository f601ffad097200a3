/* A wrong answer, kept to be recognised: its scopes stay open. */
#include "device/device.h"     // defines: Device
#include "tensor/functional.h" // defines: tensor_add_real, tensor_div_real
#include "tensor/scope.h"      // defines: scope_open, tensor_keep
#include "tensor/tensor.h"     // defines: tensor_cpu, tensor_to

Tensor *repeat_on(Tensor *x, int n_steps, Device device)
{
    Tensor *y = tensor_to(x, device);
    for (int step = 0; step < n_steps; step++) {
        scope_open();
        y = tensor_keep(tensor_add_real(tensor_div_real(y, 2), 1));
    }
    return tensor_cpu(y);
}

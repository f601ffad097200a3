/* A wrong answer, kept to be recognised: the CPU does the work. */
#include "device/device.h"     // defines: Device
#include "tensor/functional.h" // defines: tensor_add_real, tensor_div_real
#include "tensor/tensor.h"     // defines: tensor_cpu, tensor_to

Tensor *repeat_on(Tensor *x, int n_steps, Device device)
{
    (void)device;
    Tensor *y = x;
    for (int step = 0; step < n_steps; step++)
        y = tensor_add_real(tensor_div_real(y, 2), 1);
    return y;
}

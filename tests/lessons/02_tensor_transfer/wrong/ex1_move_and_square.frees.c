/* A wrong answer, kept to be recognised: the scope frees it again. */
#include "device/device.h"     // defines: Device
#include "tensor/functional.h" // defines: tensor_pow
#include "tensor/tensor.h"     // defines: Tensor, tensor_to
#include <stdlib.h>

Tensor *square_on(Tensor *x, Device device)
{
    Tensor *there = tensor_to(x, device);
    Tensor *y = tensor_pow(there, 2);
    free(there);
    return y;
}

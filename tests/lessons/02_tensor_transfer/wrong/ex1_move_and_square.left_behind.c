/* A wrong answer, kept to be recognised: the moved tensor is dropped. */
#include "device/device.h"     // defines: Device
#include "tensor/functional.h" // defines: tensor_pow
#include "tensor/tensor.h"     // defines: Tensor, tensor_to

Tensor *square_on(Tensor *x, Device device)
{
    Tensor *moved = tensor_to(x, device);
    (void)moved;
    return tensor_pow(x, 2);
}

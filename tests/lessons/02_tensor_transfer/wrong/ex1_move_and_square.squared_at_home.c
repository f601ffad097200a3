/* A wrong answer, kept to be recognised: the CPU does the work. */
#include "device/device.h"     // defines: Device
#include "tensor/functional.h" // defines: tensor_pow
#include "tensor/tensor.h"     // defines: Tensor, tensor_to

Tensor *square_on(Tensor *x, Device device)
{
    return tensor_to(tensor_pow(x, 2), device);
}

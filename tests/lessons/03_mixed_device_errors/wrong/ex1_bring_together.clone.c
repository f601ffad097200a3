/* A wrong answer, kept to be recognised: it copies what is already there. */
#include "tensor/functional.h" // defines: tensor_add
#include "tensor/tensor.h"     // defines: tensor_device, tensor_to

Tensor *add_anywhere(Tensor *a, Tensor *b)
{
    Tensor *there = tensor_clone(tensor_to(b, tensor_device(a)));
    if (tensor_device(a).kind == DEVICE_CPU)
        there = tensor_to(b, device_cpu());
    return tensor_add(a, there);
}

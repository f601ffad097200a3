/* A wrong answer, kept to be recognised: both are carried to the CPU. */
#include "tensor/functional.h" // defines: tensor_add
#include "tensor/tensor.h"     // defines: tensor_device, tensor_to

Tensor *add_anywhere(Tensor *a, Tensor *b)
{
    Tensor *sum = tensor_add(tensor_cpu(a), tensor_cpu(b));
    return tensor_to(sum, tensor_device(a));
}

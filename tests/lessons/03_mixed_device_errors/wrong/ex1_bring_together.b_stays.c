/* A wrong answer, kept to be recognised: the wrong one moves. */
#include "tensor/functional.h" // defines: tensor_add
#include "tensor/tensor.h"     // defines: tensor_device, tensor_to

Tensor *add_anywhere(Tensor *a, Tensor *b)
{
    return tensor_add(tensor_to(a, tensor_device(b)), b);
}

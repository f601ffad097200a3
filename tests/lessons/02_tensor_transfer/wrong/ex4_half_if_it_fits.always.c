/* A wrong answer, kept to be recognised: infinity is not looked for. */
#include "tensor/functional.h" // defines: tensor_max, tensor_neg
#include "tensor/tensor.h"     // defines: tensor_half, tensor_item

Tensor *half_if_it_fits(Tensor *x)
{
    return tensor_half(x);
}

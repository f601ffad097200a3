/* A wrong answer, kept to be recognised: it changes x itself. */
#include "tensor/functional.h" // defines: tensor_add_int, tensor_pow
#include "tensor/tensor.h"     // defines: Tensor

Tensor *squares_plus_one(Tensor *x)
{
    return tensor_add_int_(tensor_copy_(x, tensor_pow(x, 2)), 1);
}

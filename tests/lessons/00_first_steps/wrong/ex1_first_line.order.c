/* A wrong answer, kept to be recognised: the one is added too early. */
#include "tensor/functional.h" // defines: tensor_add_int, tensor_pow
#include "tensor/tensor.h"     // defines: Tensor

Tensor *squares_plus_one(Tensor *x)
{
    return tensor_pow(tensor_add_int(x, 1), 2);
}

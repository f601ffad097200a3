/* A wrong answer, kept to be recognised: the main GPU is forgotten. */
#include "tensor/functional.h" // defines: tensor_add
#include "tensor/tensor.h"     // defines: Tensor, tensor_to

Tensor *my_reduce_add(Tensor *const *grads, int n, Device main_gpu)
{
    Tensor *sum = tensor_to(grads[1], main_gpu);
    for (int i = 2; i < n; i++)
        sum = tensor_add(sum, tensor_to(grads[i], main_gpu));
    return sum;
}

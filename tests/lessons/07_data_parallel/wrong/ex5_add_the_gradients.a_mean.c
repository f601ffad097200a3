/* A wrong answer, kept to be recognised: divided by n. */
#include "tensor/functional.h" // defines: tensor_add
#include "tensor/tensor.h"     // defines: Tensor, tensor_to

Tensor *my_reduce_add(Tensor *const *grads, int n, Device main_gpu)
{
    Tensor *sum = tensor_to(grads[0], main_gpu);
    for (int i = 1; i < n; i++)
        sum = tensor_add(sum, tensor_to(grads[i], main_gpu));
    return tensor_div_real(sum, n);
}

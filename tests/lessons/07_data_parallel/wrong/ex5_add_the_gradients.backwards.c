/* A wrong answer, kept to be recognised: from the last to the first. */
#include "tensor/functional.h" // defines: tensor_add
#include "tensor/tensor.h"     // defines: Tensor, tensor_to

Tensor *my_reduce_add(Tensor *const *grads, int n, Device main_gpu)
{
    Tensor *sum = tensor_to(grads[n - 1], main_gpu);
    for (int i = n - 2; i >= 0; i--)
        sum = tensor_add(sum, tensor_to(grads[i], main_gpu));
    return sum;
}

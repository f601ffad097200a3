/* A wrong answer, kept to be recognised: only the positive side is looked at.
 */
#include "tensor/functional.h" // defines: tensor_max, tensor_neg
#include "tensor/tensor.h"     // defines: tensor_half, tensor_item

Tensor *half_if_it_fits(Tensor *x)
{
    if (tensor_item(tensor_max(x)) >= 65520)
        return x;
    return tensor_half(x);
}

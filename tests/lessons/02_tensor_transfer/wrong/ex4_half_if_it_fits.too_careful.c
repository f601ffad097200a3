/* A wrong answer, kept to be recognised: it refuses what would be rounded down.
 */
#include "tensor/functional.h" // defines: tensor_max, tensor_neg
#include "tensor/tensor.h"     // defines: tensor_half, tensor_item

Tensor *half_if_it_fits(Tensor *x)
{
    double high = tensor_item(tensor_max(x));
    double low = -tensor_item(tensor_max(tensor_neg(x)));
    if (high > 65504 || low < -65504)
        return x;
    return tensor_half(x);
}

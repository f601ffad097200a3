/* A wrong answer, kept to be recognised: what was joined is copied again. */
#include "tensor/functional.h" // defines: tensor_cat
#include "tensor/tensor.h"     // defines: Tensor, tensor_to

Tensor *my_gather(Tensor *const *pieces, int n, Device device)
{
    Tensor *all = tensor_to(pieces[0], device);
    for (int i = 1; i < n; i++) {
        Tensor *pair[] = {all, tensor_to(pieces[i], device)};
        all = tensor_cat(pair, 2, 0);
    }
    return all;
}

/* A wrong answer, kept to be recognised: a new dimension. */
#include "tensor/functional.h" // defines: tensor_cat, tensor_stack
#include "tensor/tensor.h"     // defines: Tensor, tensor_to

enum { MOST = 8 };

Tensor *my_gather(Tensor *const *pieces, int n, Device device)
{
    Tensor *here[MOST];
    for (int i = 0; i < n; i++)
        here[i] = tensor_to(pieces[i], device);
    return tensor_stack(here, n, 0);
}

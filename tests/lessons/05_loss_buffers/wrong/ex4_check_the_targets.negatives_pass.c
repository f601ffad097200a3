/* A wrong answer, kept to be recognised: only the upper bound. */
#include "tensor/tensor.h" // defines: Tensor, tensor_cpu, tensor_data

int64_t first_bad_target(Tensor *target, int64_t n_classes)
{
    Tensor *home = tensor_cpu(target);
    const int64_t *classes = tensor_data(home);
    int64_t found = -1;
    for (int64_t i = 0; i < tensor_numel(home); i++)
        if (found < 0 && classes[i] >= n_classes)
            found = i;
    return found;
}

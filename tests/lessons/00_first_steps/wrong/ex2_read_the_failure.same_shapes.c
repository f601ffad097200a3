/* A wrong answer, kept to be recognised: equal shapes are not the only ones
 * that add. */
#include "base/status.h"       // defines: OK, status_take
#include "tensor/functional.h" // defines: tensor_add
#include "tensor/tensor.h"     // defines: Tensor
#include <stdbool.h>

bool can_add(Tensor *a, Tensor *b)
{
    return shape_equal(tensor_shape(a), tensor_shape(b));
}

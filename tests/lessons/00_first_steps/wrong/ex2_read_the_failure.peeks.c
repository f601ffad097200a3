/* A wrong answer, kept to be recognised: it looks at the failure and leaves it
 * there. */
#include "base/status.h"       // defines: OK, status_take
#include "tensor/functional.h" // defines: tensor_add
#include "tensor/tensor.h"     // defines: Tensor
#include <stdbool.h>

bool can_add(Tensor *a, Tensor *b)
{
    tensor_add(a, b);
    return status_peek() == OK;
}

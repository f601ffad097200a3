/* A wrong answer, kept to be recognised: large negative numbers are forgotten.
 */
#include "nn/module.h"         // defines: Module, module_half
#include "tensor/functional.h" // defines: tensor_max, tensor_neg
#include "tensor/tape.h"       // defines: tensor_detach
#include "tensor/tensor.h"     // defines: tensor_dtype, tensor_item

static bool check_range(void *context, const char *name, Tensor *x)
{
    bool *fits = context;
    (void)name;
    if (!dtype_is_floating(tensor_dtype(x)))
        return true;
    x = tensor_detach(x);
    if (tensor_item(tensor_max(x)) >= 65520)
        *fits = false;
    return true;
}

bool half_if_safe(Module *net)
{
    bool fits = true;
    module_each_parameter(net, check_range, &fits);
    module_each_buffer(net, check_range, &fits);
    if (fits)
        module_half(net);
    return fits;
}

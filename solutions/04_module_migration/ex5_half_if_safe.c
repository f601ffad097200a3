/* Lesson 04, exercise 5: half the bytes, unless that costs you a number.
 *
 * Convert `net` to half precision, in place, if none of its numbers would
 * become infinite, buffers included; leave it alone otherwise. Say which.
 * 65520 is the first number that becomes infinite.
 *
 * check  scripts/learn check 04 ex5
 */
#include "nn/module.h"         // defines: Module, module_half
#include "tensor/functional.h" // defines: tensor_max, tensor_neg
#include "tensor/tape.h"       // defines: tensor_detach
#include "tensor/tensor.h"     // defines: tensor_dtype, tensor_item

/* *context becomes false when x holds a number that half cannot. */
static bool check_range(void *context, const char *name, Tensor *x)
{
    bool *fits = context;
    (void)name;
    if (!dtype_is_floating(tensor_dtype(x)))
        return true; // integers stay integers
    //> answer
    //: // TODO: tensor_max and tensor_item say the largest number
    //: (void)fits;
    x = tensor_detach(x);
    if (tensor_item(tensor_max(x)) >= 65520 ||
        tensor_item(tensor_max(tensor_neg(x))) >= 65520)
        *fits = false;
    //< answer
    return true;
}

bool half_if_safe(Module *net)
{
    bool fits = true;
    module_each_parameter(net, check_range, &fits);
    //> answer
    //: return fits; // TODO: the buffers; the conversion
    module_each_buffer(net, check_range, &fits);
    if (fits)
        module_half(net);
    return fits;
    //< answer
}

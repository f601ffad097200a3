/* Lesson 02, exercise 4: half the bytes, if nothing is lost to infinity.
 *
 * Return x as float16, unless one of its (finite) numbers would become
 * infinite; then return x itself. The largest half is 65504, and numbers are
 * rounded to the nearest half: 65519 still becomes 65504, 65520 becomes
 * infinite.
 *
 * check  scripts/learn check 02 ex4
 */
#include "tensor/functional.h" // defines: tensor_max, tensor_neg
#include "tensor/tensor.h"     // defines: tensor_half, tensor_item

Tensor *half_if_it_fits(Tensor *x)
{
    //> answer
    //: return x; // TODO: half of it, if it fits
    double high = tensor_item(tensor_max(x));
    double low = -tensor_item(tensor_max(tensor_neg(x)));
    if (high >= 65520 || low <= -65520)
        return x;
    return tensor_half(x);
    //< answer
}

/* Lesson 03, exercise 1: bring two tensors together.
 *
 * Return a + b, wherever they live; the result lives where a lives. a and b
 * stay what they are. Copy only what has to move.
 *
 * check  scripts/learn check 03 ex1
 */
#include "tensor/functional.h" // defines: tensor_add
#include "tensor/tensor.h"     // defines: tensor_device, tensor_to

Tensor *add_anywhere(Tensor *a, Tensor *b)
{
    return tensor_add(a, b); // TODO: bring them together first
}

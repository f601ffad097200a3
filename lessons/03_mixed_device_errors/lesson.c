/* Lesson 03: one expression, one device.
 *
 * You mix a tensor on a GPU with one on the CPU, then with one on another GPU,
 * read the refusals, and mend the expression in two ways.
 *
 * run   build/sim/lessons/03_mixed_device_errors/lesson   (machine: v100x8)
 * book  book/03_mixed_device_errors.md
 */
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, show
#include "device/device.h"     // defines: device_cpu, device_cuda
#include "tensor/create.h"     // defines: tensor_full
#include "tensor/functional.h" // defines: tensor_add, tensor_mul, tensor_pow
#include "tensor/tensor.h"     // defines: tensor_new, tensor_cpu, tensor_cuda

int main(void)
{
    lesson_begin("03_mixed_device_errors");
    need_devices(8);
    //> mixed
    int64_t numbers[] = {1, 2, 3};
    Tensor *x = tensor_new(INT64, shape(3), numbers, device_cuda(7));
    Tensor *y = tensor_pow(x, 2);
    show(tensor_add(y, tensor_cpu(x))); // z = y + x.cpu()
    // expect: RuntimeError: expected device cuda:7 but got device cpu
    //< mixed

    //> order
    show(tensor_add(tensor_cpu(x), y)); // the operands swapped
    show(tensor_mul(y, tensor_cpu(x))); // another operator
    // expect: RuntimeError: expected device cpu but got device cuda:7
    // expect: RuntimeError: expected device cuda:7 but got device cpu
    //< order

    //> two_gpus
    Tensor *x0 = tensor_cuda(x, 0);
    show(tensor_add(y, x0)); // both on a GPU; not on the same one
    // expect: RuntimeError: expected device cuda:7 but got device cuda:0
    //< two_gpus

    //> mend
    show(tensor_add(y, tensor_to(x0, tensor_device(y)))); // move the operand
    show(tensor_add(tensor_cpu(y), tensor_cpu(x0)));      // or meet on the CPU
    // expect: tensor([ 2,  6, 12], device='cuda:7')
    // expect: tensor([ 2,  6, 12])
    //< mend

    //> numbers
    Tensor *two = tensor_full(INT64, shape_scalar(), 2, device_cpu());
    show(tensor_mul_int(y, 2)); // a number
    show(tensor_mul(y, two));   // a CPU tensor of no dimensions
    // expect: tensor([ 2,  8, 18], device='cuda:7')
    // expect: tensor([ 2,  8, 18], device='cuda:7')
    Tensor *row = tensor_full(INT64, shape(1), 2, device_cpu());
    show(tensor_mul(y, row)); // one number, but one dimension
    // expect: RuntimeError: expected device cuda:7 but got device cpu
    //< numbers
    return lesson_end();
}

/* Lesson 03, beside the worked program: no GPU at all.
 *
 * run   build/sim/lessons/03_mixed_device_errors/no_gpu
 *       (machines: none, nodriver)
 */
#include "device/device.h" // defines: cuda_is_available, device_cuda
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say, show
#include "tensor/create.h" // defines: tensor_ones
#include "tensor/tensor.h" // defines: tensor_cuda

int main(void)
{
    lesson_begin("03_mixed_device_errors");
    say("%s", py_bool(cuda_is_available())); // asking is free
    say("%d", cuda_device_count());

    //> use
    Tensor *x = tensor_ones(FLOAT32, shape(3), device_cpu());
    show(tensor_cuda(x, 0)); // using it is not
    show(tensor_ones(FLOAT32, shape(3), device_cuda(-1)));
    //< use

    show(x); // the CPU is always there
    return lesson_end();
}

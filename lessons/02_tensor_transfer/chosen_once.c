/* Lesson 02, beside the worked program: one program, with and without a GPU.
 *
 * run   build/sim/lessons/02_tensor_transfer/chosen_once
 *       (machines: v100x8, none)
 */
#include "device/device.h" // defines: cuda_is_available, device_cuda
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, show
#include "tensor/tensor.h" // defines: tensor_new, tensor_to

int main(void)
{
    lesson_begin("02_tensor_transfer");
    //> choose
    Device device = cuda_is_available() ? device_cuda(7) : device_cpu();
    //< choose
    int64_t numbers[] = {1, 2, 3};
    //> create
    Tensor *x = tensor_new(INT64, shape(3), numbers, device); // born there
    show(x);
    // expect: tensor([1, 2, 3], device='cuda:7')
    //< create

    //> move
    x = tensor_new(INT64, shape(3), numbers, device_cpu());
    x = tensor_to(x, device); // born on the CPU, then copied
    show(x);
    // expect: tensor([1, 2, 3], device='cuda:7')
    //< move
    return lesson_end();
}

/* Lesson 03, beside the worked program: an index out of range, on a GPU.
 *
 * The CPU checks the index and says so at once. On a GPU the kernel finds it,
 * later, and the GPU is lost to this process.
 *
 * run   build/sim/lessons/03_mixed_device_errors/device_assert
 *       once as it is, once with CUDA_LAUNCH_BLOCKING=1   (machine: t4)
 */
#include "device/device.h"     // defines: cuda_synchronize, device_cuda
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, say, show
#include "tensor/create.h"     // defines: tensor_arange, tensor_ones
#include "tensor/functional.h" // defines: tensor_index_select
#include "tensor/tensor.h"     // defines: tensor_new, tensor_to

int main(void)
{
    lesson_begin("03_mixed_device_errors");
    need_devices(1);
    //> cpu
    int64_t classes[] = {1, 0, 2}; // two rows: 0 and 1
    Tensor *index = tensor_new(INT64, shape(3), classes, device_cpu());
    Tensor *rows = tensor_ones(FLOAT32, shape(2, 2), device_cpu());
    show(tensor_index_select(rows, 0, index));
    //< cpu

    //> gpu
    Tensor *index0 = tensor_to(index, device_cuda(0));
    Tensor *rows0 = tensor_to(rows, device_cuda(0));
    Tensor *picked = tensor_index_select(rows0, 0, index0);
    say("index_select returned: %s", picked ? "a tensor" : "NULL");
    if (!picked)
        show_failure();
    if (cuda_synchronize(0) != OK)
        show_failure();
    //< gpu

    //> sticky
    show(tensor_ones(FLOAT32, shape(3), device_cuda(0))); // the GPU, once more
    show(tensor_ones(FLOAT32, shape(3), device_cpu()));   // and the CPU
    //< sticky
    return lesson_end();
}

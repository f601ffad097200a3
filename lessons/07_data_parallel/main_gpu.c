/* Lesson 07, beside the worked program: the main GPU.
 *
 * The main GPU is device_ids[0]. The module's parameters and buffers must be
 * there before the batch is cut; anything else is refused.
 *
 * run   build/sim/lessons/07_data_parallel/main_gpu   (machine: v100x8)
 *       once with all GPUs visible, once with CUDA_VISIBLE_DEVICES=0,1
 */
#include "device/device.h"          // defines: cuda_device_count
#include "lesson/lesson.h"          // defines: lesson_begin, lesson_end, show
#include "nn/layers.h"              // defines: linear_new
#include "parallel/data_parallel.h" // defines: data_parallel_new
#include "tensor/create.h"          // defines: tensor_zeros

int main(void)
{
    lesson_begin("07_data_parallel");
    need_devices(2);
    Tensor *batch = tensor_zeros(FLOAT32, shape(4, 3), device_cpu());
    say("%d GPUs are visible", cuda_device_count());

    //> wrong
    Module *net = linear_new(3, 1);
    if (!module_cuda(net, 2)) // is there a third GPU?
        show_failure();
    DataParallelOptions one_two = {.device_ids = (int[]){1, 2},
                                   .n_device_ids = 2};
    Module *parallel = data_parallel_new(net, one_two);
    if (parallel)
        show(module_forward(parallel, batch));
    else
        show_failure();
    //< wrong

    //> at_home
    DataParallelOptions both = {.device_ids = (int[]){0, 1}, .n_device_ids = 2};
    show(module_forward(data_parallel_new(linear_new(3, 1), both), batch));
    //< at_home

    //> right
    Module *good = data_parallel_new(linear_new(3, 1), both);
    module_cuda(good, 0); // device_ids[0]
    Tensor *out = module_forward(good, batch);
    say("gathered on %s", device_str(tensor_device(out)).text);
    //< right
    return lesson_end();
}

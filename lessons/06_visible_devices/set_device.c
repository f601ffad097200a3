/* Lesson 06, beside the worked program: another GPU from here on.
 *
 * run   build/sim/lessons/06_visible_devices/set_device
 *       once as it is, once with CUDA_VISIBLE_DEVICES=2,3   (machine: v100x8)
 */
#include "device/device.h" // defines: cuda_set_device, cuda_current_device
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say, show
#include "smi.h"           // defines: physical_index
#include "tensor/create.h" // defines: tensor_ones
#include "tensor/tensor.h" // defines: tensor_cuda

int main(int argc, char **argv)
{
    (void)argc;
    lesson_begin("06_visible_devices");
    need_devices(2);
    //> set
    Tensor *x = tensor_ones(FLOAT32, shape(2), device_cpu());
    if (cuda_set_device(1) != OK)
        show_failure();
    Tensor *moved = tensor_cuda(x, -1); // x.cuda()
    show(moved);
    say("it lies on physical gpu%d",
        physical_index(argv[0], tensor_device(moved).index));
    //< set

    //> zero
    show(tensor_cuda(x, 0)); // x.cuda(0) is something else
    //< zero
    return lesson_end();
}

/* Lesson 05, beside the worked program: a class that does not exist.
 *
 * Two classes, 0 and 1, and a target of 2. The CPU looks before it reads and
 * says so at once. On the GPU a kernel finds out, later, and the GPU is lost to
 * this process.
 *
 * run   build/sim/lessons/05_loss_buffers/out_of_range
 *       once as it is, once with CUDA_LAUNCH_BLOCKING=1   (machine: t4)
 */
#include "device/device.h" // defines: device_cpu, cuda_synchronize
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say, show
#include "nn/loss.h"       // defines: cross_entropy_loss_new, loss_forward
#include "tensor/create.h" // defines: tensor_zeros, tensor_ones
#include "tensor/tensor.h" // defines: tensor_new, tensor_cuda

int main(void)
{
    lesson_begin("05_loss_buffers");
    need_devices(1);
    //> cpu
    Tensor *input = tensor_zeros(FLOAT32, shape(4, 2), device_cpu());
    int64_t classes[] = {1, 0, 2, 1};
    Tensor *target = tensor_new(INT64, shape(4), classes, device_cpu());
    Module *criterion = cross_entropy_loss_new(cross_entropy_defaults());
    show(loss_forward(criterion, input, target));
    //< cpu

    //> gpu
    Tensor *loss =
        loss_forward(criterion, tensor_cuda(input, 0), tensor_cuda(target, 0));
    say("loss_forward returned: %s", loss ? "a tensor" : "NULL");
    if (!loss)
        show_failure();
    if (cuda_synchronize(0) != OK)
        show_failure();
    //< gpu

    show(tensor_ones(FLOAT32, shape(2), device_cuda(0))); // never again
    return lesson_end();
}

/* Lesson 05, beside the worked program: the loss that stayed at home.
 *
 * Without weights a loss has nothing to move, and nothing goes wrong. With
 * weights the very same calls fail, until the loss is moved too.
 *
 * run   build/sim/lessons/05_loss_buffers/left_behind   (machine: v100x8)
 */
#include "device/device.h"      // defines: device_cpu
#include "lesson/lesson.h"      // defines: lesson_begin, lesson_end, show, say
#include "lesson/show_module.h" // defines: show_buffers
#include "nn/loss.h"            // defines: cross_entropy_loss_new, loss_forward
#include "tensor/create.h"      // defines: tensor_zeros
#include "tensor/tensor.h"      // defines: tensor_new, tensor_cuda

int main(void)
{
    lesson_begin("05_loss_buffers");
    need_devices(2);
    Tensor *cpu_input = tensor_zeros(FLOAT32, shape(4, 2), device_cpu());
    Tensor *cpu_target =
        tensor_new(INT64, shape(4), (int64_t[]){1, 0, 0, 1}, device_cpu());
    Tensor *input = tensor_cuda(cpu_input, 0);
    Tensor *target = tensor_cuda(cpu_target, 0);

    //> plain
    Module *plain = cross_entropy_loss_new(cross_entropy_defaults());
    show_buffers(plain);
    show(loss_forward(plain, input, target)); // never moved
    // expect: OrderedDict([('weight', None)])
    // expect: tensor(0.6931, device='cuda:0')
    //< plain

    //> weighted
    CrossEntropyOptions options = cross_entropy_defaults();
    options.weight =
        tensor_new(FLOAT32, shape(2), (float[]){1, 3}, device_cpu());
    Module *weighted = cross_entropy_loss_new(options);
    show(loss_forward(weighted, input, target)); // left behind
    // expect: RuntimeError: Expected object of device type cuda but got device type cpu for argument #3 'weight' in call to _thnn_nll_loss_forward
    //< weighted

    //> moved
    module_cuda(weighted, 0);
    show(loss_forward(weighted, input, target));
    // expect: tensor(0.6931, device='cuda:0')
    //< moved

    //> wrong_gpu
    Tensor *input1 = tensor_cuda(cpu_input, 1);
    Tensor *target1 = tensor_cuda(cpu_target, 1);
    show(loss_forward(weighted, input1, target1)); // the weight is on GPU 0
    // expect: RuntimeError: expected device cuda:1 but got device cuda:0 for argument #3 'weight' in call to _thnn_nll_loss_forward
    //< wrong_gpu

    //> target
    show(loss_forward(plain, input, cpu_target)); // the target, for once
    // expect: RuntimeError: Expected object of device type cuda but got device type cpu for argument #2 'target' in call to _thnn_nll_loss_forward
    //< target
    return lesson_end();
}

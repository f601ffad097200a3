/* Lesson 05: a loss with weights lives somewhere.
 *
 * You make a weighted loss, look at its buffer, move it to the GPU in place,
 * and compute the loss of four samples there.
 *
 * run   build/sim/lessons/05_loss_buffers/lesson   (machine: v100x8)
 * book  book/05_loss_buffers.md
 */
#include "lesson/lesson.h"      // defines: lesson_begin, lesson_end, show, say
#include "device/device.h"      // defines: device_cpu
#include "lesson/show_module.h" // defines: show_buffers, show_module
#include "nn/loss.h"            // defines: cross_entropy_loss_new, loss_forward
#include "tensor/create.h"      // defines: manual_seed, tensor_randn
#include "tensor/tensor.h"      // defines: tensor_new, tensor_cuda

int main(void)
{
    lesson_begin("05_loss_buffers");
    need_devices(1);

    //> criterion
    CrossEntropyOptions options = cross_entropy_defaults();
    options.weight =
        tensor_new(FLOAT32, shape(2), (float[]){1, 3}, device_cpu());
    Module *criterion = cross_entropy_loss_new(options);
    show_module(criterion);
    show_buffers(criterion);
    // expect: CrossEntropyLoss()
    // expect: OrderedDict([('weight', tensor([1., 3.]))])
    //< criterion

    //> nothing_to_learn
    say("parameters: %d", module_n_parameters(criterion));
    say("buffers: %d", module_n_buffers(criterion));
    // expect: parameters: 0
    // expect: buffers: 1
    //< nothing_to_learn

    //> data
    manual_seed(0);
    Tensor *input =
        tensor_cuda(tensor_randn(FLOAT32, shape(4, 2), device_cpu()), -1);
    int64_t classes[] = {1, 0, 0, 1};
    Tensor *target =
        tensor_cuda(tensor_new(INT64, shape(4), classes, device_cpu()), -1);
    show(target);
    // expect: tensor([1, 0, 0, 1], device='cuda:0')
    //< data

    //> moved
    Module *same = module_cuda(criterion, -1); // criterion.cuda()
    show_buffers(criterion);
    say("the same module: %s", py_bool(same == criterion));
    // expect: OrderedDict([('weight', tensor([1., 3.], device='cuda:0'))])
    // expect: the same module: True
    //< moved

    //> loss
    show(loss_forward(criterion, input, target));
    // expect: tensor(1.3504, device='cuda:0')
    //< loss
    return lesson_end();
}

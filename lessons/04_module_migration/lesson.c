/* Lesson 04: a module lives where its parameters live.
 *
 * You make a layer, ask where its first parameter is, move the layer to GPU 7,
 * and run it there on an input that you moved, too.
 *
 * run   build/sim/lessons/04_module_migration/lesson   (machine: v100x8)
 * book  book/04_module_migration.md
 */
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, show, say
#include "device/device.h" // defines: device_cpu
#include "nn/layers.h"     // defines: linear_new, module_cuda, module_forward
#include "tensor/create.h" // defines: manual_seed, tensor_rand
#include "tensor/tensor.h" // defines: tensor_cuda, tensor_device

int main(void)
{
    lesson_begin("04_module_migration");
    need_devices(8);

    //> born
    manual_seed(0);
    Module *net = linear_new(3, 1);
    Tensor *first = module_parameter(net, "weight");
    show_device(tensor_device(first));
    // expect: device(type='cpu')
    //< born

    //> moved
    Module *same = module_cuda(net, 7); // net.cuda(7)
    show_device(tensor_device(module_parameter(net, "weight")));
    say("the same module: %s", py_bool(same == net));
    // expect: device(type='cuda', index=7)
    // expect: the same module: True
    //< moved

    //> forward
    Tensor *x = tensor_rand(FLOAT32, shape(2, 3), device_cpu());
    x = tensor_cuda(x, 7); // a tensor has to be assigned
    show(module_forward(net, x));
    // expect: tensor([[-0.4627],
    // expect:         [-0.5881]], device='cuda:7', grad_fn=<AddmmBackward>)
    //< forward
    return lesson_end();
}

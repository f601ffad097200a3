/* Lesson 04, beside the worked program: the module here, its input there.
 *
 * run   build/sim/lessons/04_module_migration/wrong_place   (machine: v100x8)
 */
#include "device/device.h" // defines: device_cpu
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, show
#include "nn/layers.h"     // defines: linear_new
#include "tensor/create.h" // defines: tensor_ones

int main(void)
{
    lesson_begin("04_module_migration");
    need_devices(2);
    Module *net = linear_new(3, 1);
    Tensor *x = tensor_ones(FLOAT32, shape(2, 3), device_cpu());

    //> input_at_home
    module_cuda(net, 0);
    show(module_forward(net, x)); // the input was never moved
    // expect: RuntimeError: Expected object of device type cuda but got device type cpu for argument #2 'mat1' in call to _th_addmm
    //< input_at_home

    //> forgotten
    Tensor *there = tensor_cuda(x, 0); // a copy; x stays on the CPU
    module_cpu(net);                   // and now the module is at home
    show(module_forward(net, there));
    // expect: RuntimeError: Expected object of device type cuda but got device type cpu for argument #1 'self' in call to _th_addmm
    //< forgotten

    //> another_gpu
    module_cuda(net, 1);
    show(module_forward(net, there));
    // expect: RuntimeError: expected device cuda:1 but got device cuda:0
    //< another_gpu
    return lesson_end();
}

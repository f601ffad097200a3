/* Lesson 06, beside the worked program: born there, without being told.
 *
 * run   build/sim/lessons/06_visible_devices/default_device
 */
#include "device/device.h" // defines: device_cpu, device_cuda
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say, show
#include "nn/layers.h"     // defines: linear_new
#include "nn/module.h"     // defines: module_parameter
#include "tensor/create.h" // defines: default_device_set, tensor_ones

int main(void)
{
    lesson_begin("06_visible_devices");
    need_devices(1);
    Device here = device_cpu(), there = device_cuda(0);
    show(tensor_ones(FLOAT32, shape(2), default_device()));
    show(tensor_ones(FLOAT32, shape(2), there));
    // expect: tensor([1., 1.])
    // expect: tensor([1., 1.], device='cuda:0')

    //> after
    default_device_set(device_cuda(-1)); // the current GPU
    Tensor *born = tensor_ones(FLOAT32, shape(2), default_device());
    show_device(tensor_device(born));
    show(born); // on the GPU, where all is born now ...
    show(tensor_ones(FLOAT32, shape(2), here)); // ... and on the CPU
    // expect: device(type='cuda', index=0)
    // expect: tensor([1., 1.])
    // expect: tensor([1., 1.], device='cpu')
    //< after

    //> layer
    Module *net = linear_new(3, 1); // nobody named a device
    show_device(tensor_device(module_parameter(net, "weight")));
    // expect: device(type='cuda', index=0)
    //< layer
    default_device_set(device_cpu());
    return lesson_end();
}

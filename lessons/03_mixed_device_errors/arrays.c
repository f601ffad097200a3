/* Lesson 03, beside the worked program: arrays and GPU tensors do not mix.
 *
 * run   build/sim/lessons/03_mixed_device_errors/arrays
 */
#include "device/device.h" // defines: device_cuda
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say, show
#include "tensor/create.h" // defines: tensor_ones
#include "tensor/tensor.h" // defines: tensor_from_host, tensor_numpy

int main(void)
{
    lesson_begin("03_mixed_device_errors");
    need_devices(1);
    //> numpy
    Tensor *t = tensor_ones(FLOAT32, shape(5), device_cuda(0));
    float *n = tensor_numpy(t); // n = t.numpy()
    if (!n)
        show_failure();
    // expect: TypeError: can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.
    //< numpy

    //> copy
    n = tensor_numpy(tensor_cpu(t)); // what the sentence says
    say("%g %g %g %g %g", n[0], n[1], n[2], n[3], n[4]);
    // expect: 1 1 1 1 1
    //< copy

    //> wrap
    float array[3] = {1, 2, 3}; // an array has no .to: wrap it first
    Tensor *wrapped = tensor_from_host(FLOAT32, shape(3), array);
    show(tensor_to(wrapped, device_cuda(0)));
    // expect: tensor([1., 2., 3.], device='cuda:0')
    //< wrap
    return lesson_end();
}

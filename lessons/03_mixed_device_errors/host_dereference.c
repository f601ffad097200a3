/* Lesson 03, beside the worked program: a GPU's address in the CPU's hands.
 *
 * This program dies, and is meant to. cudaMalloc returns an address that
 * means something on the GPU alone.
 *
 * run   build/sim/lessons/03_mixed_device_errors/host_dereference
 */
#include "device/device.h" // defines: device_cuda
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say
#include "tensor/create.h" // defines: tensor_ones
#include "tensor/tensor.h" // defines: tensor_data
#include <stdio.h>

int main(void)
{
    lesson_begin("03_mixed_device_errors");
    need_devices(1);
    //> touch
    Tensor *x = tensor_ones(FLOAT32, shape(1024), device_cuda(0));
    const float *p = tensor_data(x); // an address on GPU 0
    say("the address is not NULL: %s", py_bool(p != NULL));
    // expect: the address is not NULL: True
    fflush(stdout);
    say("the eleventh number is %g", p[10]); // the CPU follows it
    //< touch
    return lesson_end();
}

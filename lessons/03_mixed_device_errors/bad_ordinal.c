/* Lesson 03, beside the worked program: a GPU that is not there.
 *
 * run   build/sim/lessons/03_mixed_device_errors/bad_ordinal
 *       (machines: t4, rtx3070-laptop)
 */
#include "device/device.h"     // defines: device_cuda
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, say, show
#include "tensor/create.h"     // defines: tensor_ones
#include "tensor/functional.h" // defines: tensor_add_int
#include "tensor/tensor.h"     // defines: tensor_to

int main(void)
{
    lesson_begin("03_mixed_device_errors");
    need_devices(1);
    //> absent
    Device device1 = device_cuda(1); // a name: nothing happens yet
    Tensor *x = tensor_ones(FLOAT32, shape(2, 3), device_cpu());
    show(tensor_to(x, device1));
    //< absent

    //> after
    Tensor *y = tensor_to(x, device_cuda(0)); // the next call
    show(tensor_add_int(y, 1));
    //< after
    return lesson_end();
}

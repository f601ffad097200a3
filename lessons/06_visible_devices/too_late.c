/* Lesson 06, beside the worked program: one innocent question too early.
 *
 * run   build/sim/lessons/06_visible_devices/too_late   (machine: v100x8)
 */
#include "device/device.h" // defines: cuda_is_available, device_cuda
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say, show
#include "smi.h"           // defines: physical_index
#include "tensor/create.h" // defines: tensor_ones
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    lesson_begin("06_visible_devices");
    //> late
    say("%s", py_bool(cuda_is_available())); // a question
    setenv("CUDA_VISIBLE_DEVICES", "2", 1);  // in time?
    say("device_count: %d", cuda_device_count());
    show(tensor_ones(FLOAT32, shape(3), device_cuda(0)));
    say("it lies on physical gpu%d", physical_index(argv[0], 0));
    // expect: True
    // expect: device_count: 8
    // expect: tensor([1., 1., 1.], device='cuda:0')
    // expect: it lies on physical gpu0
    //< late
    return lesson_end();
}

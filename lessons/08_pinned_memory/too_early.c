/* Lesson 08, beside the worked program: a result that is read too early.
 *
 * A big tensor comes home without a wait. Its memory is there at once; its
 * numbers are not.
 *
 * run   build/sim/lessons/08_pinned_memory/too_early   (machine: v100x8)
 */
#include "device/device.h"     // defines: device_cuda, cuda_synchronize
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, say
#include "tensor/create.h"     // defines: tensor_full
#include "tensor/functional.h" // defines: tensor_mul_real

int main(void)
{
    lesson_begin("08_pinned_memory");
    need_devices(1);
    Tensor *there = tensor_full(FLOAT32, shape(16000000), 3, device_cuda(0));
    //> read
    Tensor *home = tensor_to_non_blocking(there, device_cpu());
    const float *numbers = tensor_numpy(home);
    say("at once: %g", numbers[0]);
    cuda_synchronize(0);
    say("after a wait: %g", numbers[0]);
    //< read

    //> result
    Tensor *six = tensor_mul_real(there, 2); // on the GPU
    Tensor *coming = tensor_to_non_blocking(six, device_cpu());
    Tensor *sixty = tensor_mul_real(coming, 10); // on the CPU, at once
    cuda_synchronize(0);                         // too late for the line above
    say("6 times 10 is %g", ((const float *)tensor_numpy(sixty))[0]);
    //< result
    return lesson_end();
}

/* Lesson 01, beside the worked program: torch.cuda.device is not a device.
 *
 * It is a scope: made, nothing changes; entered, another GPU is current; left,
 * the old one is. Lesson 06 comes back to it.
 *
 * run   build/sim/lessons/01_device_query/gpu_scope
 *       (machines: rtx3070-laptop, v100x8)
 */
#include "device/device.h" // defines: CudaScope, cuda_scope_make
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say

int main(void)
{
    lesson_begin("01_device_query");
    need_devices(1);
    //> made
    CudaScope any, second;
    if (cuda_scope_make(device_cuda(-1), &any) == OK)
        say("<torch.cuda.device at %p>", (void *)&any);
    if (cuda_scope_make(device_cuda(1), &second) == OK)
        say("<torch.cuda.device at %p>", (void *)&second);
    say("current: %d", cuda_current_device()); // made, not entered
    //< made

    //> entered
    if (cuda_scope_enter(&second) == OK) {
        say("inside: %d", cuda_current_device());
        cuda_scope_leave(&second);
    } else {
        show_failure(); // is there a GPU 1?
    }
    say("after: %d", cuda_current_device());
    //< entered

    //> cpu
    CudaScope wrong;
    if (cuda_scope_make(device_cpu(), &wrong) != OK) // fails at once
        show_failure();
    //< cpu
    return lesson_end();
}

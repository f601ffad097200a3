/* Lesson 06, beside the worked program: the variable, set by the program.
 *
 * run   build/sim/lessons/06_visible_devices/in_program   (machine: v100x8)
 */
#include "device/device.h" // defines: cuda_device_count
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say
#include "smi.h"           // defines: physical_index
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    lesson_begin("06_visible_devices");
    //> early
    setenv("CUDA_VISIBLE_DEVICES", "2", 1); // before CUDA is asked anything
    say("device_count: %d", cuda_device_count());
    say("logical gpu0 -> physical gpu%d", physical_index(argv[0], 0));
    // expect: device_count: 1
    // expect: logical gpu0 -> physical gpu2
    //< early
    return lesson_end();
}

/* Lesson 06, beside the worked program: set it, unless somebody has.
 *
 * run   build/sim/lessons/06_visible_devices/setdefault
 *       once as it is, once with CUDA_VISIBLE_DEVICES=0   (machine: v100x4)
 */
#include "device/device.h" // defines: cuda_device_count
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say
#include "smi.h"           // defines: physical_index
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    lesson_begin("06_visible_devices");
    //> setdefault
    setenv("CUDA_VISIBLE_DEVICES", "2,3", 0); // 0: only if it is not set
    say("CUDA_VISIBLE_DEVICES: %s", getenv("CUDA_VISIBLE_DEVICES"));
    say("device_count: %d", cuda_device_count());
    say("logical gpu0 -> physical gpu%d", physical_index(argv[0], 0));
    //< setdefault
    return lesson_end();
}

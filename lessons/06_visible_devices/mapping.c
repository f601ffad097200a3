/* Lesson 06, beside the worked program: which cards does this program see?
 *
 * run   CUDA_VISIBLE_DEVICES=2,3 build/sim/lessons/06_visible_devices/mapping
 *       (machines: v100x8, v100x4, mixed; any value you like)
 */
#include "device/device.h" // defines: cuda_device_count, cuda_device_name
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say
#include "smi.h"           // defines: physical_index

int main(int argc, char **argv)
{
    (void)argc;
    lesson_begin("06_visible_devices");
    //> mapping
    say("device_count: %d", cuda_device_count());
    for (int i = 0; i < cuda_device_count(); i++)
        say("logical gpu%d -> physical gpu%d  %s", i,
            physical_index(argv[0], i), cuda_device_name(i));
    //< mapping
    return lesson_end();
}

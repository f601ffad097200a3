/* Lesson 06, beside the worked program: the variable in a notebook.
 *
 * Each part stands for a cell; the process lives as long as the notebook.
 *
 * run   build/sim/lessons/06_visible_devices/notebook   (machine: v100x8)
 */
#include "device/device.h" // defines: cuda_device_count
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say
#include "smi.h"           // defines: physical_index
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    lesson_begin("06_visible_devices");
    //> first
    setenv("CUDA_VISIBLE_DEVICES", "1,2", 1); // %env CUDA_VISIBLE_DEVICES=1,2
    say("device_count: %d", cuda_device_count());
    for (int i = 0; i < cuda_device_count(); i++)
        say("logical gpu%d -> physical gpu%d", i, physical_index(argv[0], i));
    // expect: device_count: 2
    // expect: logical gpu0 -> physical gpu1
    // expect: logical gpu1 -> physical gpu2
    //< first

    //> second
    setenv("CUDA_VISIBLE_DEVICES", "5", 1); // the cell, edited and run again
    say("device_count: %d", cuda_device_count());
    say("logical gpu0 -> physical gpu%d", physical_index(argv[0], 0));
    // expect: device_count: 2
    // expect: logical gpu0 -> physical gpu1
    //< second
    return lesson_end();
}

/* Lesson 06, beside the worked program: the same, with its condition as found.
 *
 * `if not gpu_memory:` is true for an empty list.
 *
 * run   build/sim/lessons/06_visible_devices/as_written
 *       (machines: busy4; h200, where the report has another form)
 */
#include "device/device.h" // defines: cuda_device_count
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say
#include "smi.h"           // defines: get_gpu_memory
#include <stdlib.h>

enum { MOST = 16 };

int main(int argc, char **argv)
{
    (void)argc;
    lesson_begin("06_visible_devices");
    int gpu_memory[MOST];
    //> inverted
    int n = get_gpu_memory(argv[0], gpu_memory, MOST);
    if (n == 0) { // if not gpu_memory:
        say("\ngpu free memory: []");
        setenv("CUDA_VISIBLE_DEVICES", "", 0); // no numbers, joined
    }
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    say("%d numbers read", n);
    say("CUDA_VISIBLE_DEVICES: %s%s%s", visible ? "'" : "not set",
        visible ? visible : "", visible ? "'" : "");
    say("device_count: %d", cuda_device_count());
    //< inverted
    return lesson_end();
}

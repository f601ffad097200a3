/* Lesson 06, beside the worked program: the roomiest GPU first.
 *
 * run   build/sim/lessons/06_visible_devices/by_free_memory
 *       (machines: busy4; mixed, where CUDA counts otherwise; h200, where the
 *       report has another form)
 */
#include "device/device.h" // defines: cuda_device_count, cuda_device_name
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say
#include "smi.h"           // defines: get_gpu_memory
#include <stdlib.h>

enum { MOST = 16 };

static const char *list_text(const int *list, int n, const char *between)
{
    static char text[MOST * 16];
    int at = 0;
    text[0] = '\0';
    for (int i = 0; i < n; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%s%d",
                       i ? between : "", list[i]);
    return text;
}

//> order
typedef struct {
    int gpu, free_mib;
} Room;

/* numpy's argsort, read backwards: most first; of equals the higher index. */
static int roomier_first(const void *one, const void *other)
{
    const Room *a = one, *b = other;
    return a->free_mib != b->free_mib ? b->free_mib - a->free_mib
                                      : b->gpu - a->gpu;
}
//< order

int main(int argc, char **argv)
{
    (void)argc;
    lesson_begin("06_visible_devices");
    Room rooms[MOST];
    int free_mib[MOST], gpus[MOST];
    //> sort
    int n = get_gpu_memory(argv[0], free_mib, MOST);
    if (n > 0) {
        say("\ngpu free memory: [%s]", list_text(free_mib, n, ", "));
        for (int i = 0; i < n; i++)
            rooms[i] = (Room){i, free_mib[i]};
        qsort(rooms, (size_t)n, sizeof *rooms, roomier_first);
        for (int i = 0; i < n; i++)
            gpus[i] = rooms[i].gpu;
        setenv("CUDA_VISIBLE_DEVICES", list_text(gpus, n, ","), 0);
        say("%s", getenv("CUDA_VISIBLE_DEVICES"));
    } else {
        say("no Free line in the cut: the order stays as it is");
    }
    //< sort
    say("device_count: %d", cuda_device_count());
    if (cuda_device_count() > 0)
        say("gpu0 is a %s", cuda_device_name(0));
    return lesson_end();
}

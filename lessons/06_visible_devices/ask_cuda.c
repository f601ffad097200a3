/* Lesson 06, beside the worked program: ask CUDA, not a report.
 *
 * run   build/sim/lessons/06_visible_devices/ask_cuda
 *       (machines: busy4, mixed, h200)
 */
#include "device/device.h" // defines: cuda_mem_info, cuda_device_count
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say, show
#include "tensor/create.h" // defines: tensor_ones

int main(void)
{
    lesson_begin("06_visible_devices");
    need_devices(1);
    //> ask
    int best = 0;
    size_t most = 0;
    for (int i = 0; i < cuda_device_count(); i++) {
        size_t free_bytes = 0, total_bytes = 0;
        if (cuda_mem_info(i, &free_bytes, &total_bytes) != OK)
            show_failure();
        say("gpu%d: %zu of %zu MiB are free", i, free_bytes >> 20,
            total_bytes >> 20);
        if (free_bytes > most) {
            most = free_bytes;
            best = i;
        }
    }
    //< ask

    //> use
    if (cuda_set_device(best) != OK) // why not by the variable?
        show_failure();
    show(tensor_ones(FLOAT32, shape(2), device_cuda(-1)));
    //< use
    return lesson_end();
}

/* Lesson 01, beside the worked program: what a GPU says about itself.
 *
 * run   build/sim/lessons/01_device_query/cards   (machine: mixed)
 */
#include "device/device.h" // defines: cuda_properties, cuda_mem_info
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say

int main(void)
{
    lesson_begin("01_device_query");
    //> cards
    for (int i = 0; i < cuda_device_count(); i++) {
        CudaProperties card;
        if (cuda_properties(i, &card) != OK) {
            show_failure();
            continue;
        }
        say("index %d: %s", i, card.name);
        say("    bus id %s", card.pci_bus_id);
        say("    compute capability %d.%d, %d multiprocessors, %zu MiB",
            card.major, card.minor, card.n_multiprocessors,
            card.total_bytes >> 20);
    }
    //< cards
    if (cuda_device_count() == 0)
        say("no GPU is visible");
    return lesson_end();
}

/* Lesson 08, beside the worked program: how long a move holds the host.
 *
 * Four ways to move the same bytes to a GPU: when does the call return, and
 * when have the bytes arrived?
 *
 * run   build/sim/lessons/08_pinned_memory/who_waits   (machine: v100x8)
 */
#include "device/clock.h"  // defines: clock_now_ns, clock_word
#include "device/device.h" // defines: device_cuda, cuda_synchronize
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say
#include "tensor/create.h" // defines: tensor_ones
#include <inttypes.h>

//> measure
typedef Tensor *Move(Tensor *x, Device device);

static void measure(const char *what, Move *move, Tensor *x)
{
    int64_t start = clock_now_ns();
    Tensor *there = move(x, device_cuda(0));
    int64_t returned = clock_now_ns() - start;
    cuda_synchronize(0);
    int64_t arrived = clock_now_ns() - start;
    if (there)
        say("%-24s %8" PRId64 " %8" PRId64, what, returned / 1000,
            arrived / 1000);
}
//< measure

int main(void)
{
    lesson_begin("08_pinned_memory");
    need_devices(1);
    Tensor *x = tensor_ones(FLOAT32, shape(16000000), device_cpu());
    Tensor *pinned = tensor_pin_memory(x);
    Tensor *first = tensor_to(x, device_cuda(0)); // sets CUDA up
    if (!first)
        return lesson_end();
    say("microseconds, %s", clock_word());
    say("%-24s %8s %8s", "", "returned", "arrived");
    measure("plain, to", tensor_to, x);
    measure("plain, to_non_blocking", tensor_to_non_blocking, x);
    measure("pinned, to", tensor_to, pinned);
    measure("pinned, to_non_blocking", tensor_to_non_blocking, pinned);
    return lesson_end();
}

/* Lesson 08, beside the worked program: what pinning costs, and what it saves.
 *
 * Sixty-four million bytes go to a GPU from plain memory and from pinned
 * memory. Then the price of getting them into pinned memory.
 *
 * run   build/sim/lessons/08_pinned_memory/what_it_costs   (machine: v100x8)
 */
#include "device/clock.h"      // defines: clock_now_ns, clock_word
#include "device/device.h"     // defines: device_cuda
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, say
#include "tensor/create.h"     // defines: tensor_ones
#include "tensor/functional.h" // defines: tensor_copy_
#include <inttypes.h>

static int64_t us(int64_t start_ns)
{
    return (clock_now_ns() - start_ns) / 1000;
}

/* One move to the GPU; the host waits for it. */
static int64_t move_us(Tensor *x)
{
    int64_t start = clock_now_ns();
    Tensor *there = tensor_to(x, device_cuda(0));
    return there ? us(start) : -1;
}

int main(void)
{
    lesson_begin("08_pinned_memory");
    need_devices(1);
    Tensor *x = tensor_ones(FLOAT32, shape(16000000), device_cpu());
    move_us(x); // the first use of a GPU costs more

    //> price
    int64_t start = clock_now_ns();
    Tensor *pinned = tensor_pin_memory(x);
    int64_t pin = us(start);
    start = clock_now_ns();
    tensor_copy_(pinned, x); // the next batch into the same memory
    int64_t refill = us(start);
    int64_t slow = move_us(x), fast = move_us(pinned);
    //< price

    say("microseconds, %s", clock_word());
    say("move from plain memory    %6" PRId64, slow);
    say("move from pinned memory   %6" PRId64, fast);
    say("pin_memory                %6" PRId64, pin);
    say("copy into pinned memory   %6" PRId64, refill);
    say("pin_memory, then move     %6" PRId64, pin + fast);
    say("copy in, then move        %6" PRId64, refill + fast);
    return lesson_end();
}

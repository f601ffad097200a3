/* Lesson 02, beside the worked program: what a transfer costs.
 *
 * Sixteen million bytes go to the GPU, are doubled there, and come back; then
 * the CPU doubles them where they are.
 *
 * run   build/sim/lessons/02_tensor_transfer/cost   (machine: v100x8)
 */
#include "device/clock.h"      // defines: clock_now_ns, clock_word
#include "device/device.h"     // defines: cuda_synchronize, device_cuda
#include "device/ledger.h"     // defines: Ledger, ledger_now, ledger_since
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, say
#include "tensor/create.h"     // defines: tensor_ones
#include "tensor/functional.h" // defines: tensor_mul_real
#include <inttypes.h>

static double us(int64_t from_ns, int64_t to_ns)
{
    return (double)(to_ns - from_ns) / 1000;
}

int main(void)
{
    lesson_begin("02_tensor_transfer");
    need_devices(1);
    Tensor *x = tensor_ones(FLOAT32, shape(4, 1024, 1024), device_cpu());
    Tensor *first = tensor_to(x, device_cuda(0)); // the first call sets CUDA up
    tensor_mul_real(first, 2);
    cuda_synchronize(0);

    //> measure
    Ledger mark = ledger_now();
    int64_t start = clock_now_ns();
    Tensor *there = tensor_to(x, device_cuda(0));
    int64_t arrived = clock_now_ns();
    Tensor *doubled = tensor_mul_real(there, 2);
    cuda_synchronize(0); // a launch returns before the work is done
    int64_t computed = clock_now_ns();
    Tensor *back = tensor_cpu(doubled);
    int64_t returned = clock_now_ns();
    tensor_mul_real(x, 2); // the same on the CPU, nothing moved
    int64_t on_cpu = clock_now_ns();
    Ledger made = ledger_since(&mark);
    //< measure

    say("%s, microseconds:", clock_word());
    say("to the GPU: %.1f", us(start, arrived));
    say("arithmetic there: %.1f", us(arrived, computed));
    say("back: %.1f", us(computed, returned));
    say("on the CPU instead: %.1f", us(returned, on_cpu));
    say("bytes moved: %" PRId64 " there, %" PRId64 " back",
        made.host_to_device.n_bytes, made.device_to_host.n_bytes);
    return back ? lesson_end() : 1;
}

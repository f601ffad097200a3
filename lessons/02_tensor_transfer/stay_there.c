/* Lesson 02, beside the worked program: ten steps, moved each time or once.
 *
 * run   build/sim/lessons/02_tensor_transfer/stay_there   (machine: v100x8)
 */
#include "device/clock.h"      // defines: clock_now_ns, clock_word
#include "device/device.h"     // defines: device_cpu, device_cuda
#include "device/ledger.h"     // defines: Ledger, ledger_now, ledger_since
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, say
#include "tensor/create.h"     // defines: tensor_ones
#include "tensor/functional.h" // defines: tensor_mul_real
#include <inttypes.h>

static Ledger mark;
static int64_t start_ns;

static void begin(void)
{
    mark = ledger_now();
    start_ns = clock_now_ns();
}

static void report(const char *way)
{
    int64_t spent_ns = clock_now_ns() - start_ns;
    Ledger made = ledger_since(&mark);
    say("%s: %" PRId64 " copies, %" PRId64 " bytes, %.1f us %s", way,
        made.host_to_device.n_copies + made.device_to_host.n_copies +
            made.peer.n_copies,
        made.host_to_device.n_bytes + made.device_to_host.n_bytes +
            made.peer.n_bytes,
        (double)spent_ns / 1000, clock_word());
}

int main(void)
{
    lesson_begin("02_tensor_transfer");
    need_devices(2);
    Tensor *x = tensor_ones(FLOAT32, shape(1024, 1024), device_cpu());
    for (int i = 0; i < 2; i++) { // the first call to a GPU sets it up
        Tensor *warm = tensor_to(x, device_cuda(i));
        tensor_mul_real(warm, 0.5);
        cuda_synchronize(i);
    }

    //> each
    begin();
    Tensor *y = x;
    for (int step = 0; step < 10; step++) {
        Tensor *there = tensor_to(y, device_cuda(0));
        y = tensor_cpu(tensor_mul_real(there, 0.5));
    }
    report("moved at each step");
    //< each

    //> once
    begin();
    Tensor *z = tensor_to(x, device_cuda(0));
    for (int step = 0; step < 10; step++)
        z = tensor_mul_real(z, 0.5);
    z = tensor_cpu(z);
    report("moved once");
    //< once

    //> between
    begin();
    Tensor *w = tensor_to(x, device_cuda(0));
    for (int step = 0; step < 10; step++) {
        w = tensor_to(w, device_cuda(step % 2)); // GPU 0, 1, 0, 1, ...
        w = tensor_mul_real(w, 0.5);
    }
    w = tensor_cpu(w);
    report("tossed between two GPUs");
    //< between

    say("the same numbers: %s",
        py_bool(tensor_equal(y, z) && tensor_equal(z, w)));
    return lesson_end();
}

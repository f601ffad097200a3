/* Lesson 04, beside the worked program: layers on two GPUs.
 *
 * A network whose layers lie apart is refused. Moved by hand it works, one
 * transfer for each boundary, and the clock says what that costs.
 *
 * run   build/sim/lessons/04_module_migration/two_devices   (machine: v100x8)
 */
#include "device/clock.h"  // defines: clock_now_ns, clock_word
#include "device/device.h" // defines: cuda_synchronize, device_cuda
#include "device/ledger.h" // defines: Ledger, ledger_now, ledger_since
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, show, say
#include "nn/layers.h"     // defines: linear_new, sequential_new
#include "tensor/create.h" // defines: tensor_ones
#include "tensor/scope.h"  // defines: scope_open, scope_close
#include "tensor/tape.h"   // defines: no_grad_enter
#include <inttypes.h>

enum { ROWS = 64, WIDTH = 256, N_LAYERS = 4, N_RUNS = 10 };

//> by_hand
/* Each layer's input goes to where that layer is; there already, it stays. */
static Tensor *forward_by_hand(Module *net, Tensor *x)
{
    for (int i = 0; i < module_n_children(net); i++) {
        Module *layer = module_child_at(net, i);
        x = tensor_to(x, tensor_device(module_parameter(layer, "weight")));
        x = module_forward(layer, x);
    }
    return x;
}
//< by_hand

static void wait_for_both(void)
{
    cuda_synchronize(0);
    cuda_synchronize(1);
}

static double run_us(Module *net, Tensor *x, bool wait_each_time)
{
    wait_for_both(); // what came before is not measured
    int64_t start_ns = clock_now_ns();
    for (int i = 0; i < N_RUNS; i++) {
        scope_open();
        forward_by_hand(net, x);
        if (wait_each_time)
            wait_for_both();
        scope_close();
    }
    wait_for_both();
    return (double)(clock_now_ns() - start_ns) / 1000 / N_RUNS;
}

static void say_times(const char *how, Module *net, Tensor *x)
{
    double one_at_a_time = run_us(net, x, true);
    say("%-18s %8.1f %8.1f", how, one_at_a_time, run_us(net, x, false));
}

int main(void)
{
    lesson_begin("04_module_migration");
    need_devices(2);
    no_grad_enter(); // inference, all the way
    Module *net = sequential_new();
    for (int i = 0; i < N_LAYERS; i++)
        sequential_add(net, linear_new(WIDTH, WIDTH));
    Tensor *x = tensor_ones(FLOAT32, shape(ROWS, WIDTH), device_cuda(0));

    //> refused
    module_cuda(net, 0);
    module_cuda(module_child_at(net, 2), 1); // the second half moves on
    module_cuda(module_child_at(net, 3), 1);
    Tensor *refused = module_forward(net, x);
    if (!refused)
        show_failure();
    //< refused

    //> boundary
    Ledger mark = ledger_now();
    Tensor *y = forward_by_hand(net, x);
    Ledger made = ledger_since(&mark);
    say("result on %s", device_str(tensor_device(y)).text);
    say("between GPUs: %" PRId64 " copy, %" PRId64 " bytes", made.peer.n_copies,
        made.peer.n_bytes);
    //< boundary

    //> cost
    say("%s, microseconds a forward: one at a time, ten in a row",
        clock_word());
    say_times("split in halves", net, x); // 0, 0, 1, 1
    module_cuda(module_child_at(net, 1), 1);
    module_cuda(module_child_at(net, 2), 0); // 0, 1, 0, 1
    say_times("taking turns", net, x);
    module_cuda(net, 0);
    say_times("on one GPU", net, x);
    //< cost
    return lesson_end();
}

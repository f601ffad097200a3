/* Lesson 04, beside the worked program: moved in place, and what that costs.
 *
 * A network goes to GPU 1 and home again. The ledger counts the copies, and the
 * parameters say whether they are still the same objects.
 *
 * run   build/sim/lessons/04_module_migration/in_place   (machine: v100x4)
 */
#include "device/ledger.h"     // defines: Ledger, ledger_now, ledger_since
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, say
#include "nn/layers.h"         // defines: linear_new, batch_norm_1d_new
#include "tensor/create.h"     // defines: manual_seed
#include "tensor/functional.h" // defines: tensor_equal
#include "tensor/tape.h"       // defines: tensor_detach
#include <inttypes.h>

static Module *net_new(void)
{
    Module *net = sequential_new();
    sequential_add(net, linear_new(3, 4)); // one call a child, in this order
    sequential_add(net, batch_norm_1d_new(4));
    sequential_add(net, linear_new(4, 2));
    return net;
}

static void two_instances(void); // below: its lines are printed last

int main(void)
{
    lesson_begin("04_module_migration");
    need_devices(2);
    //> count
    manual_seed(0);
    Module *net = net_new();
    say("%d parameters, %d buffers, %zu bytes", module_n_parameters(net),
        module_n_buffers(net), module_nbytes(net));
    // expect: 6 parameters, 3 buffers, 176 bytes
    //< count

    //> move
    Tensor *weight = module_parameter(net, "0.weight");
    Tensor *mean = module_buffer(net, "1.running_mean");
    Tensor *before = tensor_clone(tensor_detach(weight)); // stays on the CPU
    Ledger mark = ledger_now();
    Module *same = module_cuda(net, 1);
    Ledger made = ledger_since(&mark);
    say("%" PRId64 " copies, %" PRId64 " bytes", made.host_to_device.n_copies,
        made.host_to_device.n_bytes);
    // expect: 9 copies, 176 bytes
    //< move

    //> identity
    bool parameter_kept = module_parameter(net, "0.weight") == weight;
    bool buffer_kept = module_buffer(net, "1.running_mean") == mean;
    say("the same module: %s", py_bool(same == net));
    say("the same parameter: %s", py_bool(parameter_kept));
    say("the same buffer: %s", py_bool(buffer_kept));
    say("left on the CPU: %s", py_bool(!tensor_is_cuda(weight)));
    // expect: the same module: True
    // expect: the same parameter: True
    // expect: the same buffer: False
    // expect: left on the CPU: False
    //< identity

    //> again
    mark = ledger_now();
    module_cuda(net, 1); // everything is there already
    made = ledger_since(&mark);
    say("%" PRId64 " copies",
        made.host_to_device.n_copies + made.peer.n_copies);
    // expect: 0 copies
    //< again

    //> home
    module_cpu(net);
    Tensor *after = tensor_detach(weight);
    say("the same values: %s", py_bool(tensor_equal(before, after)));
    // expect: the same values: True
    //< home

    two_instances();
    return lesson_end();
}

/* Two networks from the same seed: alike, and apart. */
static void two_instances(void)
{
    //> instances
    manual_seed(0);
    Module *a = net_new();
    manual_seed(0);
    Module *b = net_new();
    Tensor *wa = module_parameter(a, "0.weight");
    Tensor *wb = module_parameter(b, "0.weight");
    say("equal values: %s", py_bool(tensor_equal(wa, wb)));
    say("shared memory: %s", py_bool(tensor_shares_storage(wa, wb)));
    // expect: equal values: True
    // expect: shared memory: False
    //< instances
}

/* Lesson 08: page-locked memory, and moves that the host does not wait for.
 *
 * run   build/sim/lessons/08_pinned_memory/lesson   (any machine with a GPU)
 */
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, say, show
#include "device/device.h"     // defines: device_cuda, cuda_synchronize
#include "device/ledger.h"     // defines: Ledger, ledger_now, ledger_since
#include "tensor/create.h"     // defines: tensor_arange
#include "tensor/functional.h" // defines: tensor_mul_real
#include <inttypes.h>

int main(void)
{
    lesson_begin("08_pinned_memory");
    need_devices(1);
    //> pin
    Tensor *x = tensor_arange(FLOAT32, 0, 4, 1, device_cpu());
    Tensor *pinned = tensor_pin_memory(x);
    show(pinned);                            // expect: tensor([0., 1., 2., 3.])
    say("%s", py_bool(tensor_is_pinned(x))); // expect: False
    say("%s", py_bool(tensor_is_pinned(pinned)));            // expect: True
    say("%s", py_bool(tensor_pin_memory(pinned) == pinned)); // expect: True
    //< pin

    //> spread
    Tensor *sum = tensor_add(pinned, pinned);
    Tensor *part = tensor_slice(pinned, 0, 1, 3);
    say("%s", py_bool(tensor_is_pinned(sum)));  // expect: False
    say("%s", py_bool(tensor_is_pinned(part))); // expect: True
    //< spread

    //> gpu
    Tensor *there = tensor_cuda(x, 0);
    say("%s", py_bool(tensor_is_pinned(there))); // expect: False
    show(tensor_pin_memory(there));
    // expect: RuntimeError: cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned
    //< gpu

    //> waits
    Ledger mark = ledger_now();
    Tensor *moved = tensor_to(pinned, device_cuda(0));
    Ledger waiting = ledger_since(&mark);
    mark = ledger_now();
    Tensor *sent = tensor_to_non_blocking(pinned, device_cuda(0));
    Ledger going_on = ledger_since(&mark);
    show(moved); // expect: tensor([0., 1., 2., 3.], device='cuda:0')
    show(sent);  // expect: tensor([0., 1., 2., 3.], device='cuda:0')
    say("waits: %" PRId64, waiting.n_synchronizations);  // expect: waits: 1
    say("waits: %" PRId64, going_on.n_synchronizations); // expect: waits: 0
    //< waits

    //> home
    Tensor *twice = tensor_mul_real(sent, 2);
    Tensor *back = tensor_to_non_blocking(twice, device_cpu());
    say("%s", py_bool(tensor_is_pinned(back))); // expect: True
    // Before anybody reads it:
    cuda_synchronize(0);
    show(back); // expect: tensor([0., 2., 4., 6.])
    //< home
    return lesson_end();
}

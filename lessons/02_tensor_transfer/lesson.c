/* Lesson 02: a tensor lives somewhere.
 *
 * You make a tensor in host memory, copy it to GPU 7, compute there, see where
 * the result lives, and bring it back. The ledger counts the copies.
 *
 * run   build/sim/lessons/02_tensor_transfer/lesson   (machine: v100x8)
 * book  book/02_tensor_transfer.md
 */
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, show, say
#include "device/device.h"     // defines: device_cpu, device_cuda
#include "device/ledger.h"     // defines: Ledger, ledger_now, ledger_since
#include "tensor/functional.h" // defines: tensor_pow
#include "tensor/tensor.h"     // defines: tensor_new, tensor_cuda, tensor_cpu
#include <inttypes.h>

int main(void)
{
    lesson_begin("02_tensor_transfer");
    need_devices(8);
    Ledger mark = ledger_now();

    //> born
    int64_t numbers[] = {1, 2, 3};
    Tensor *x = tensor_new(INT64, shape(3), numbers, device_cpu());
    show(x);
    show_device(tensor_device(x));
    // expect: tensor([1, 2, 3])
    // expect: device(type='cpu')
    //< born

    //> moved
    Tensor *x7 = tensor_cuda(x, 7); // x.cuda(7), with a name of its own
    show(x7);
    show_device(tensor_device(x7));
    show(x);
    // expect: tensor([1, 2, 3], device='cuda:7')
    // expect: device(type='cuda', index=7)
    // expect: tensor([1, 2, 3])
    //< moved

    //> current
    Tensor *x0 = tensor_cuda(x, -1); // x.cuda(): no number
    show(x0);
    // expect: tensor([1, 2, 3], device='cuda:0')
    //< current

    //> result
    Tensor *y = tensor_pow(x7, 2); // x**2
    show(y);
    say("%s", dtype_name(tensor_dtype(y)));
    // expect: tensor([1, 4, 9], device='cuda:7')
    // expect: torch.int64
    //< result

    //> back
    Tensor *home = tensor_cpu(y);
    show(home);
    // expect: tensor([1, 4, 9])
    //< back

    //> ledger
    Ledger made = ledger_since(&mark);
    say("to GPUs: %" PRId64 " copies, %" PRId64 " bytes",
        made.host_to_device.n_copies, made.host_to_device.n_bytes);
    say("back: %" PRId64 " copy, %" PRId64 " bytes",
        made.device_to_host.n_copies, made.device_to_host.n_bytes);
    // expect: to GPUs: 2 copies, 48 bytes
    // expect: back: 1 copy, 24 bytes
    //< ledger
    return lesson_end();
}

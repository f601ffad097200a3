/* Lesson 03, beside the worked program: two layers on two GPUs.
 *
 * A layer is a matrix product. When layers lie on different GPUs, nothing
 * carries the numbers across for you.
 *
 * run   build/sim/lessons/03_mixed_device_errors/layers   (machine: v100x8)
 */
#include "device/device.h"     // defines: device_cuda
#include "device/ledger.h"     // defines: Ledger, ledger_now, ledger_since
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, show
#include "tensor/create.h"     // defines: tensor_full, tensor_ones
#include "tensor/functional.h" // defines: tensor_matmul
#include "tensor/tensor.h"     // defines: tensor_to
#include <inttypes.h>

int main(void)
{
    lesson_begin("03_mixed_device_errors");
    need_devices(2);
    //> layers
    Device first = device_cuda(0), second = device_cuda(1);
    Tensor *w1 = tensor_full(FLOAT32, shape(3, 4), 0.5, first);
    Tensor *w2 = tensor_full(FLOAT32, shape(4, 1), 0.25, second);
    //< layers

    //> input
    Tensor *x = tensor_ones(FLOAT32, shape(2, 3), device_cpu());
    show(tensor_matmul(x, w1)); // the input was never moved
    // expect: RuntimeError: Expected object of device type cuda but got device type cpu for argument #1 'self' in call to _th_mm
    x = tensor_to(x, first);
    //< input

    //> refused
    Tensor *hidden = tensor_matmul(x, w1); // lives on the first GPU
    show(tensor_matmul(hidden, w2));
    // expect: RuntimeError: expected device cuda:0 but got device cuda:1
    //< refused

    //> boundary
    Ledger mark = ledger_now();
    hidden = tensor_to(hidden, second); // by hand, at the boundary
    show(tensor_matmul(hidden, w2));
    Ledger made = ledger_since(&mark);
    say("between GPUs: %" PRId64 " copy, %" PRId64 " bytes", made.peer.n_copies,
        made.peer.n_bytes);
    // expect: tensor([[1.5000],
    // expect:         [1.5000]], device='cuda:1')
    // expect: between GPUs: 1 copy, 32 bytes
    //< boundary
    return lesson_end();
}

/* Lesson 04, beside the worked program: backward runs where forward ran.
 *
 * Gradients are born beside their parameters. Inference is forward alone:
 * nothing is recorded, and there is nothing to run backward.
 *
 * run   build/sim/lessons/04_module_migration/backward   (machine: v100x8)
 */
#include "device/device.h"     // defines: device_str
#include "device/ledger.h"     // defines: Ledger, ledger_now, ledger_since
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, say, show
#include "nn/layers.h"         // defines: linear_new, relu_new
#include "tensor/create.h"     // defines: manual_seed, tensor_rand
#include "tensor/functional.h" // defines: tensor_sum
#include "tensor/tape.h"       // defines: tensor_backward, no_grad_enter
#include <inttypes.h>

//> gradient
static bool say_gradient(void *context, const char *name, Tensor *x)
{
    (void)context;
    Tensor *grad = tensor_grad(x);
    say("%-8s %s, gradient %s", name, device_str(tensor_device(x)).text,
        grad ? device_str(tensor_device(grad)).text : "None");
    return true; // go on with the next parameter
}
//< gradient

int main(void)
{
    lesson_begin("04_module_migration");
    need_devices(8);
    manual_seed(0);
    Module *net = sequential_new();
    sequential_add(net, linear_new(4, 8));
    sequential_add(net, relu_new());
    sequential_add(net, linear_new(8, 2));
    Tensor *x = tensor_rand(FLOAT32, shape(2, 4), device_cpu());

    //> backward
    module_cuda(net, 7);
    x = tensor_cuda(x, 7);
    Ledger mark = ledger_now();
    Tensor *loss = tensor_sum(module_forward(net, x));
    show(loss);
    tensor_backward(loss);
    Ledger made = ledger_since(&mark);
    module_each_parameter(net, say_gradient, NULL);
    say("copies: %" PRId64,
        made.host_to_device.n_copies + made.device_to_host.n_copies);
    // expect: tensor(-0.3524, device='cuda:7', grad_fn=<SumBackward0>)
    // expect: 0.weight cuda:7, gradient cuda:7
    // expect: 0.bias   cuda:7, gradient cuda:7
    // expect: 2.weight cuda:7, gradient cuda:7
    // expect: 2.bias   cuda:7, gradient cuda:7
    // expect: copies: 0
    //< backward

    //> inference
    bool before = no_grad_enter(); // with torch.no_grad():
    Tensor *y = module_forward(net, x);
    no_grad_leave(before);
    show(y);
    say("requires_grad: %s", py_bool(tensor_requires_grad(y)));
    tensor_backward(tensor_sum(y));
    show_failure();
    // expect: tensor([[ 0.0401, -0.2528],
    // expect:         [ 0.0307, -0.1705]], device='cuda:7')
    // expect: requires_grad: False
    // expect: RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
    //< inference

    //> along
    module_cuda(net, 0); // gradients move with their parameters
    module_each_parameter(net, say_gradient, NULL);
    // expect: 0.weight cuda:0, gradient cuda:0
    // expect: 0.bias   cuda:0, gradient cuda:0
    // expect: 2.weight cuda:0, gradient cuda:0
    // expect: 2.bias   cuda:0, gradient cuda:0
    //< along
    return lesson_end();
}

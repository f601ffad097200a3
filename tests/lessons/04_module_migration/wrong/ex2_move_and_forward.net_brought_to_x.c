/* A wrong answer, kept to be recognised: the network goes where the input is.
 */
#include "nn/module.h"     // defines: Module, module_to, module_forward
#include "tensor/tape.h"   // defines: no_grad_enter, no_grad_leave
#include "tensor/tensor.h" // defines: tensor_cpu, tensor_to

Tensor *infer_on(Module *net, Tensor *x, Device device)
{
    bool before = no_grad_enter();
    module_to(net, tensor_device(x));
    Tensor *y = tensor_cpu(module_forward(net, x));
    (void)device;
    no_grad_leave(before);
    return y;
}

/* A wrong answer, kept to be recognised: the result is not brought home. */
#include "nn/module.h"     // defines: Module, module_to, module_forward
#include "tensor/tape.h"   // defines: no_grad_enter, no_grad_leave
#include "tensor/tensor.h" // defines: tensor_cpu, tensor_to

Tensor *infer_on(Module *net, Tensor *x, Device device)
{
    bool before = no_grad_enter();
    module_to(net, device);
    Tensor *y = module_forward(net, tensor_to(x, device));
    no_grad_leave(before);
    return y;
}

/* A wrong answer, kept to be recognised: the history is recorded. */
#include "nn/module.h"     // defines: Module, module_to, module_forward
#include "tensor/tape.h"   // defines: no_grad_enter, no_grad_leave
#include "tensor/tensor.h" // defines: tensor_cpu, tensor_to

Tensor *infer_on(Module *net, Tensor *x, Device device)
{
    module_to(net, device);
    return tensor_cpu(module_forward(net, tensor_to(x, device)));
}

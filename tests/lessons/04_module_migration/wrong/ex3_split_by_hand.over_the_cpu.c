/* A wrong answer, kept to be recognised: the boundary goes by way of the host.
 */
#include "nn/module.h"     // defines: Module, module_parameter
#include "tensor/tensor.h" // defines: tensor_device, tensor_to

static Device place_of(const Module *linear)
{
    return tensor_device(module_parameter(linear, "weight"));
}

Tensor *forward_split(Module *first, Module *second, Tensor *x)
{
    x = tensor_to(x, place_of(first));
    Tensor *hidden = tensor_cpu(module_forward(first, x));
    hidden = tensor_to(hidden, place_of(second));
    return module_forward(second, hidden);
}

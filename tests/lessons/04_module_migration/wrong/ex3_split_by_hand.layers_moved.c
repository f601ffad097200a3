/* A wrong answer, kept to be recognised: the second half is brought over. */
#include "nn/module.h"     // defines: Module, module_parameter
#include "tensor/tensor.h" // defines: tensor_device, tensor_to

static Device place_of(const Module *linear)
{
    return tensor_device(module_parameter(linear, "weight"));
}

Tensor *forward_split(Module *first, Module *second, Tensor *x)
{
    x = tensor_to(x, place_of(first));
    module_to(second, place_of(first));
    return module_forward(second, module_forward(first, x));
}

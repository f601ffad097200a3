/* A wrong answer, kept to be recognised: registered, but as a parameter. */
#include "nn/module.h"         // defines: Module, ModuleType, module_new
#include "tensor/functional.h" // defines: tensor_sub

static Tensor *subtract_mean(Module *self, Tensor *input)
{
    return tensor_sub(input, module_parameter(self, "mean"));
}

static const ModuleType CENTRE = {.name = "Centre", .forward = subtract_mean};

Module *centre_new(Tensor *mean)
{
    Module *centre = module_new(&CENTRE);
    module_add_parameter(centre, "mean", mean);
    return centre;
}

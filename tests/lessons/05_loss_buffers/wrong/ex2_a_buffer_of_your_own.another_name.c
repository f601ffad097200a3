/* A wrong answer, kept to be recognised: the forward looks for "mean". */
#include "base/status.h"       // defines: status_fail
#include "nn/module.h"         // defines: Module, ModuleType, module_new
#include "tensor/functional.h" // defines: tensor_sub

static Tensor *subtract_mean(Module *self, Tensor *input)
{
    Tensor *mean = module_buffer(self, "mean");
    return mean ? tensor_sub(input, mean) : input;
}

static const ModuleType CENTRE = {.name = "Centre", .forward = subtract_mean};

Module *centre_new(Tensor *mean)
{
    Module *centre = module_new(&CENTRE);
    module_add_buffer(centre, "average", mean);
    return centre;
}

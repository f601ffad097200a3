/* A wrong answer, kept to be recognised: the forward looks for "mean",
 * finds none, and hands NULL on. */
#include "base/status.h"       // defines: status_fail
#include "nn/module.h"         // defines: Module, ModuleType, module_new
#include "tensor/functional.h" // defines: tensor_sub

static Tensor *subtract_mean(Module *self, Tensor *input)
{
    return tensor_sub(input, module_buffer(self, "mean"));
}

static const ModuleType CENTRE = {.name = "Centre", .forward = subtract_mean};

Module *centre_new(Tensor *mean)
{
    Module *centre = module_new(&CENTRE);
    module_add_buffer(centre, "Mean", mean);
    return centre;
}

/* Lesson 05, exercise 2: a buffer of your own.
 *
 * `centre` subtracts a fixed mean from its input: the mean is no parameter,
 * there is nothing to learn, but it must go where the module goes. Make the
 * module, and register the mean so that module_to moves it.
 *
 * check  scripts/learn check 05 ex2
 */
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
    (void)mean; // TODO: register it under the name "mean"
    return centre;
}

/* Modules one after another. */
#include "nn/layers.h"

#include "base/status.h" // defines: CHECK_NOT_NULL
#include <stdio.h>

static Tensor *forward(Module *self, Tensor *input)
{
    for (int i = 0; input && i < module_n_children(self); i++)
        input = module_forward(module_child_at(self, i), input);
    return input;
}

static const ModuleType SEQUENTIAL = {.name = "Sequential", .forward = forward};

Module *sequential_new(void)
{
    return module_new(&SEQUENTIAL);
}

Module *sequential_add(Module *sequential, Module *child)
{
    if (!CHECK_NOT_NULL(sequential) || !CHECK_NOT_NULL(child))
        return NULL;
    char name[16];
    snprintf(name, sizeof name, "%d", module_n_children(sequential));
    return module_add_child(sequential, name, child) == OK ? sequential : NULL;
}

/* Modules one after another. */
#include "nn/layers.h"

#include "base/status.h" // defines: status_peek, CHECK_NOT_NULL
#include <stdarg.h>
#include <stdio.h>

static Tensor *forward(Module *self, Tensor *input)
{
    for (int i = 0; input && i < module_n_children(self); i++)
        input = module_forward(module_child_at(self, i), input);
    return input;
}

static const ModuleType SEQUENTIAL = {.name = "Sequential", .forward = forward};

/* Children are named by their index, as PyTorch names them. */
static Status append(Module *sequential, Module *child)
{
    char name[16];
    snprintf(name, sizeof name, "%d", module_n_children(sequential));
    return module_add_child(sequential, name, child);
}

Module *sequential_new(Module *const *modules, int n)
{
    Module *sequential = module_new(&SEQUENTIAL);
    for (int i = 0; sequential && i < n; i++)
        if (append(sequential, modules[i]) != OK)
            return NULL;
    return sequential;
}

Module *sequential_of(Module *first, ...)
{
    if (status_peek() != OK) // one of the arguments could not be made
        return NULL;
    Module *sequential = module_new(&SEQUENTIAL);
    va_list rest;
    va_start(rest, first);
    for (Module *m = first; sequential && m; m = va_arg(rest, Module *))
        if (append(sequential, m) != OK)
            sequential = NULL;
    va_end(rest);
    return sequential;
}

/* A module: tensors with names, and modules with names inside it.
 *
 * Moving a module is moving its tensors, in place: parameters keep their
 * identity (an optimiser that holds them goes on working), buffers are
 * replaced, plain tensors kept elsewhere stay behind. Counted, like tensors:
 * the scope that was open holds one count, a parent module one more.
 *
 * Threads: each its own modules, or one that no thread changes: forward through
 * the same module at once is fine under no_grad and in evaluation; moving,
 * loading, backward and optimiser steps change it.
 *
 * source  PyTorch 1.13, torch.nn.Module
 */
#ifndef NN_MODULE_H
#define NN_MODULE_H

#include "base/text.h"     // defines: Text
#include "nn/tree.h"       // defines: Tree
#include "tensor/tensor.h" // defines: Tensor

typedef struct Module Module;

/* What a kind of module is. The only table of functions in the house. */
typedef struct ModuleType {
    const char *name; // "Linear": printed
    Tensor *(*forward)(Module *self, Tensor *input);
    /* Adds what stands between the brackets when printed; NULL: nothing. */
    void (*describe)(const Module *self, Text *text);
    size_t state_bytes; // of module_state; copied bit by bit into replicas
    /* For modules with several inputs or outputs; NULL: one of each. */
    Tree *(*forward_tree)(Module *self, Tree *inputs);
} ModuleType;

/* A new module without parameters or children.
 * owner   the current scope; `type` must live forever (make it static const)
 * errors  ERR_MEMORY */
API Module *module_new(const ModuleType *type);

/* What kind it is. Lives forever. */
API const ModuleType *module_type(const Module *module);
/* state_bytes of zeroed memory for numbers of the module's own. Lent;
 * cannot fail. */
API void *module_state(const Module *module);

/* Register, in order. A parameter gets requires_grad; NULL is allowed (a
 * module without bias registers none). The module holds one count of each.
 * errors  ERR_KEY "attribute 'x' already exists" */
API Status module_add_parameter(Module *module, const char *name, Tensor *x);
API Status module_add_buffer(Module *module, const char *name, Tensor *x);
API Status module_add_child(Module *module, const char *name, Module *child);

/* By name, dots reach into children ("0.weight"). NULL when absent; no failure.
 * Lent by the module. */
API Tensor *module_parameter(const Module *module, const char *name);
API Tensor *module_buffer(const Module *module, const char *name);
API Module *module_child(const Module *module, const char *name);
API int module_n_children(const Module *module);
API Module *module_child_at(const Module *module, int index);

/* A buffer gets another tensor (as assignment does in Python).
 * errors  ERR_ATTRIBUTE "'Linear' object has no buffer 'x'" */
API Status module_set_buffer(Module *module, const char *name, Tensor *x);

/* Run it. NULL after a failure. */
API Tensor *module_forward(Module *module, Tensor *input);
/* Run it on a tree of inputs; a module of one input takes a tensor, alone or as
 * the only branch of a list. */
API Tree *module_forward_tree(Module *module, Tree *inputs);

/* Move or convert, in place; returns the same module, NULL after a failure.
 * Children first, then parameters, then buffers; the same call again copies
 * nothing. Gradients move too. dtype: floating tensors only. A failure on the
 * way leaves what has moved where it is, as in PyTorch (a second copy of
 * everything would need the room); the same call again finishes. */
API Module *module_to(Module *module, Device device);
API Module *module_cuda(Module *module, int index); // -1: the current GPU
API Module *module_cpu(Module *module);
API Module *module_half(Module *module);
API Module *module_cast(Module *module, DType dtype);

/* Training or evaluation, children included; returns the module, and cannot
 * fail. */
API Module *module_train(Module *module, bool training);
API bool module_is_training(const Module *module);
/* Gradients to zero where there are any (PyTorch 1.13's default). */
API void module_zero_grad(Module *module);

/* Walk parameters or buffers in PyTorch's order, duplicates dropped by
 * identity; `name` is the dotted name, lent during the call. Return false to
 * stop. */
typedef bool (*ModuleVisit)(void *context, const char *name, Tensor *x);
API void module_each_parameter(const Module *module, ModuleVisit visit,
                               void *context);
API void module_each_buffer(const Module *module, ModuleVisit visit,
                            void *context);
API int module_n_parameters(const Module *module); // tensors, not numbers
API int module_n_buffers(const Module *module);
API size_t module_nbytes(const Module *module); // parameters and buffers

/* "Linear(in_features=3, out_features=1, bias=True)". owner: the caller;
 * NULL after a failure. */
API char *module_repr(const Module *module);
/* "OrderedDict([('weight', tensor([1., 3.], device='cuda:0'))])" of this
 * module's own buffers. owner: the caller; NULL after a failure. */
API char *module_buffers_repr(const Module *module);

/* The same tree of modules with other tensors: replace(context, x) says which
 * one stands for x. Shared modules stay shared. The copy is a replica: its
 * walks show no parameters, since its tensors are no leaves.
 * owner   the current scope; NULL after a failure */
API Module *module_replica(const Module *module,
                           Tensor *(*replace)(void *context, Tensor *x),
                           void *context);
API bool module_is_replica(const Module *module);

/* Explicit counts, for containers; neither can fail. */
API Module *module_retain(Module *module);
API void module_release(Module *module);

#endif

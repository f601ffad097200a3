/* Moving a module is moving its tensors, in place. */
#include "nn/module.h"

#include "base/status.h"        // defines: TRY, status_fail, CHECK_NOT_NULL
#include "base/warn.h"          // defines: warn
#include "nn/module_internal.h" // defines: struct Module
#include "tensor/functional.h"  // defines: tensor_zero_
#include "tensor/scope.h"       // defines: scope_open, tensor_retain
#include "tensor/tape.h"        // defines: no_grad_enter, tensor_set_data

/* Where to, and as what. */
typedef struct Target {
    bool has_device;
    Device device;
    bool has_dtype; // for floating tensors only
    DType dtype;
} Target;

/* x itself when nothing changes. */
static Tensor *converted(Tensor *x, const Target *target)
{
    Tensor *y = x;
    if (target->has_dtype && dtype_is_floating(tensor_dtype(x)))
        y = tensor_cast(y, target->dtype);
    if (target->has_device)
        y = tensor_to(y, target->device);
    return y;
}

/* A parameter stays the same object: optimisers hold it. */
static Status move_parameter(Tensor *x, const Target *target)
{
    Tensor *moved = converted(x, target);
    if (!moved)
        return status_peek();
    if (moved != x)
        TRY(tensor_set_data(x, moved));
    Tensor *grad = tensor_grad(x);
    if (!grad)
        return OK;
    Tensor *moved_grad = converted(grad, target);
    if (!moved_grad)
        return status_peek();
    return moved_grad == grad ? OK : tensor_set_data(grad, moved_grad);
}

/* A buffer is replaced by another object. */
static Status move_buffer(Entry *entry, const Target *target)
{
    Tensor *moved = converted(entry->item, target);
    if (!moved)
        return status_peek();
    if (moved == entry->item)
        return OK;
    tensor_retain(moved);
    tensor_release(entry->item);
    entry->item = moved;
    return OK;
}

/* Children first, then parameters, then buffers, as PyTorch does. A shared
 * parameter is met twice; the second time there is nothing left to do. */
static Status move_tree(Module *module, const Target *target)
{
    for (int i = 0; i < module->children.n; i++)
        TRY(move_tree(module->children.entries[i].item, target));
    for (int i = 0; i < module->parameters.n; i++)
        if (module->parameters.entries[i].item)
            TRY(move_parameter(module->parameters.entries[i].item, target));
    for (int i = 0; i < module->buffers.n; i++)
        if (module->buffers.entries[i].item)
            TRY(move_buffer(&module->buffers.entries[i], target));
    return OK;
}

/* Without history, and without leaving the intermediate copies behind. */
static Module *move(const char *function, Module *module, const Target *target)
{
    if (!CHECK_NOT_NULL_OF(function, module) || scope_open() != OK)
        return NULL;
    bool recording = no_grad_enter();
    Status status = move_tree(module, target);
    no_grad_leave(recording);
    scope_close();
    return status == OK ? module : NULL;
}

Module *module_to(Module *module, Device device)
{
    return move(__func__, module,
                &(Target){.has_device = true, .device = device});
}

Module *module_cuda(Module *module, int index)
{
    return CHECK_NOT_NULL(module) ? module_to(module, device_cuda(index))
                                  : NULL;
}

Module *module_cpu(Module *module)
{
    return CHECK_NOT_NULL(module) ? module_to(module, device_cpu()) : NULL;
}

Module *module_cast(Module *module, DType dtype)
{
    if (!dtype_is_floating(dtype)) {
        status_fail(ERR_TYPE,
                    "nn.Module.to only accepts floating point or complex "
                    "dtypes, but got desired dtype=%s",
                    dtype_name(dtype));
        return NULL;
    }
    return move(__func__, module, &(Target){.has_dtype = true, .dtype = dtype});
}

Module *module_half(Module *module)
{
    return CHECK_NOT_NULL(module) ? module_cast(module, FLOAT16) : NULL;
}

static bool zero_grad(void *context, const char *name, Tensor *x)
{
    (void)context;
    (void)name;
    Tensor *grad = tensor_grad(x);
    return !grad || tensor_zero_(grad);
}

void module_zero_grad(Module *module)
{
    if (!CHECK_NOT_NULL(module))
        return;
    if (module->is_replica) {
        warn("Calling .zero_grad() from a module created with "
             "nn.DataParallel() has no effect. The parameters are copied (in a "
             "differentiable manner) from the original module. This means they "
             "are not leaf nodes in autograd and so don't accumulate "
             "gradients. If you need gradients in your forward method, "
             "consider using autograd.grad instead.");
        return;
    }
    bool recording = no_grad_enter();
    module_each_parameter(module, zero_grad, NULL);
    no_grad_leave(recording);
}

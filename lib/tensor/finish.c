/* What every expression ends with: a tensor over the op's result, and the step
 * of history. */
#include "tensor/node_internal.h" // defines: struct Node
#include "tensor/object.h"        // defines: struct Tensor, finish
#include "tensor/tape.h"          // defines: grad_enabled, tensor_requires_grad

static Status record(Tensor *result, const Step *step)
{
    Tensor *saved[STEP_MAX + 1];
    int n_saved = 0;
    for (int i = 0; i < step->n_saved; i++)
        saved[n_saved++] = step->saved[i];
    if (step->saves_result)
        saved[n_saved++] = result;
    return node_record(step->type, step->inputs, step->n_inputs, &result, 1,
                       saved, n_saved, step->numbers, step->n_bytes);
}

Tensor *finish(Status status, Array *out, const Step *step)
{
    if (status != OK)
        return NULL;
    Tensor *result = tensor_wrap(out);
    if (result == NULL || step == NULL || step->type == NULL)
        return result;
    if (record(result, step) != OK)
        return NULL; // the scope holds what was made
    result->is_view = step->base != NULL;
    result->view_writes = tensor_writes(result);
    return result;
}

long tensor_writes(const Tensor *x)
{
    return storage_writes(x->array.storage);
}

void tensor_written(Tensor *x)
{
    storage_written(x->array.storage, 1);
}

Status in_place_allowed(const Tensor *x, Tensor *const *others, int n_others)
{
    if (!grad_enabled())
        return OK;
    if (!tensor_requires_grad(x) && !node_wanted(others, n_others))
        return node_check_view(x);
    if (x->node == NULL && x->requires_grad)
        return status_fail(ERR_RUNTIME,
                           "a leaf Variable that requires grad is being used "
                           "in an in-place operation.");
    if (x->is_view && x->node != NULL && x->node->inputs[0].leaf != NULL)
        return status_fail(ERR_RUNTIME,
                           "a view of a leaf Variable that requires grad is "
                           "being used in an in-place operation.");
    if (x->is_view)
        return status_fail(
            ERR_RUNTIME,
            "a view of a tensor that requires grad is being changed in place; "
            "this library does not trace that. clone() the view first, or "
            "change it under no_grad.");
    return OK;
}

Tensor *finish_in_place(Status status, Tensor *x, const Step *step)
{
    if (status != OK)
        return NULL;
    tensor_written(x);
    if (record(x, step) != OK)
        return NULL;
    if (grad_enabled() && x->node != NULL)
        storage_mark_write(x->array.storage); // with a history, that is
    return x;
}

/* The same numbers under another shape: views share memory with x. */
#include "ops/copy.h"          // defines: op_contiguous, op_reshape
#include "tensor/backward.h"   // defines: made, zeros_for
#include "tensor/functional.h" // defines: tensor_reshape, tensor_slice, …
#include "tensor/object.h"     // defines: finish, Step

/* ---- another shape ----------------------------------------------------------
 */

/* The gradient takes the input's shape again. */
static Status reshape_backward(const Node *node, Tensor *const *grads_out,
                               Tensor **grads_in)
{
    return made(grads_in[0] =
                    tensor_reshape(grads_out[0], node_input_shape(node, 0)));
}

Tensor *tensor_reshape(Tensor *x, Shape shape)
{
    static const NodeType view = {"ViewBackward", reshape_backward};
    static const NodeType copy = {"UnsafeViewBackward", reshape_backward};
    Array out = {0};
    if (!CHECK_NOT_NULL(x))
        return NULL;
    Status status = op_reshape(&x->array, shape, &out);
    bool shares = status == OK && array_shares(&out, &x->array);
    return finish(status, &out,
                  &(Step){.type = shares ? &view : &copy,
                          .inputs = {x},
                          .n_inputs = 1,
                          .base = shares ? x : NULL});
}

Tensor *tensor_unsqueeze(Tensor *x, int dim)
{
    static const NodeType type = {"UnsqueezeBackward0", reshape_backward};
    Array out = {0};
    if (!CHECK_NOT_NULL(x))
        return NULL;
    return finish(
        array_unsqueeze(&x->array, dim, &out), &out,
        &(Step){.type = &type, .inputs = {x}, .n_inputs = 1, .base = x});
}

/* The walk sums over what was seen many times. */
Tensor *tensor_expand(Tensor *x, Shape shape)
{
    static const NodeType type = {"ExpandBackward", pass_through};
    Array out = {0};
    if (!CHECK_NOT_NULL(x))
        return NULL;
    return finish(
        array_expand(&x->array, shape, &out), &out,
        &(Step){.type = &type, .inputs = {x}, .n_inputs = 1, .base = x});
}

Tensor *tensor_contiguous(Tensor *x)
{
    static const NodeType type = {"CloneBackward", pass_through};
    Array out = {0};
    if (!CHECK_NOT_NULL(x))
        return NULL;
    if (array_is_contiguous(&x->array))
        return x;
    return finish(op_contiguous(&x->array, &out), &out,
                  &(Step){.type = &type, .inputs = {x}, .n_inputs = 1});
}

typedef struct Dims {
    int first, second;
} Dims;

static Status transpose_backward(const Node *node, Tensor *const *grads_out,
                                 Tensor **grads_in)
{
    const Dims *dims = node_constants(node);
    return made(grads_in[0] =
                    tensor_transpose(grads_out[0], dims->first, dims->second));
}

Tensor *tensor_transpose(Tensor *x, int dim0, int dim1)
{
    static const NodeType type = {"TransposeBackward0", transpose_backward};
    Array out = {0};
    Dims dims = {dim0, dim1};
    if (!CHECK_NOT_NULL(x))
        return NULL;
    return finish(array_transpose(&x->array, dim0, dim1, &out), &out,
                  &(Step){.type = &type,
                          .inputs = {x},
                          .n_inputs = 1,
                          .numbers = &dims,
                          .n_bytes = sizeof dims,
                          .base = x});
}

/* ---- a part
 * ------------------------------------------------------------------ */

typedef struct Part {
    int dim;
    int64_t start, end;
} Part;

/* Zeros, but for the part that was taken. */
static Status slice_backward(const Node *node, Tensor *const *grads_out,
                             Tensor **grads_in)
{
    const Part *part = node_constants(node);
    Tensor *all = zeros_for(node, 0);
    TRY(made(all));
    Tensor *taken = tensor_slice(all, part->dim, part->start, part->end);
    TRY(made(tensor_copy_(taken, grads_out[0])));
    grads_in[0] = all;
    return OK;
}

Tensor *tensor_slice(Tensor *x, int dim, int64_t start, int64_t end)
{
    static const NodeType type = {"SliceBackward", slice_backward};
    Array out = {0};
    Part part = {dim, start, end};
    if (!CHECK_NOT_NULL(x))
        return NULL;
    return finish(array_slice(&x->array, dim, start, end, &out), &out,
                  &(Step){.type = &type,
                          .inputs = {x},
                          .n_inputs = 1,
                          .numbers = &part,
                          .n_bytes = sizeof part,
                          .base = x});
}

static Status select_backward(const Node *node, Tensor *const *grads_out,
                              Tensor **grads_in)
{
    const Part *part = node_constants(node);
    Tensor *all = zeros_for(node, 0);
    TRY(made(all));
    Tensor *taken = tensor_select(all, part->dim, part->start);
    TRY(made(tensor_copy_(taken, grads_out[0])));
    grads_in[0] = all;
    return OK;
}

Tensor *tensor_select(Tensor *x, int dim, int64_t index)
{
    static const NodeType type = {"SelectBackward", select_backward};
    Array out = {0};
    Part part = {dim, index, 0};
    if (!CHECK_NOT_NULL(x))
        return NULL;
    return finish(array_select(&x->array, dim, index, &out), &out,
                  &(Step){.type = &type,
                          .inputs = {x},
                          .n_inputs = 1,
                          .numbers = &part,
                          .n_bytes = sizeof part,
                          .base = x});
}

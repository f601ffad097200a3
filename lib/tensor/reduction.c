/* Many numbers to fewer: sum, mean, max; and whether two tensors are alike. */
#include "array/scalar.h"      // defines: scalar_real
#include "ops/elementwise.h"   // defines: op_binary
#include "ops/reduce.h"        // defines: op_sum, op_max, op_equal, …
#include "tensor/backward.h"   // defines: made
#include "tensor/functional.h" // defines: tensor_sum, tensor_mean, …
#include "tensor/object.h"     // defines: finish, Step

/* ---- over all elements -------------------------------------------------- */

/* Every element has the same share: the one gradient, seen many times. */
static Status sum_backward(const Node *node, Tensor *const *grads_out,
                           Tensor **grads_in)
{
    return made(grads_in[0] =
                    tensor_expand(grads_out[0], node_input_shape(node, 0)));
}

Tensor *tensor_sum(Tensor *x)
{
    static const NodeType type = {"SumBackward0", sum_backward};
    Array out = {0};
    if (!CHECK_NOT_NULL(x))
        return NULL;
    return finish(op_sum(&x->array, &out), &out,
                  &(Step){.type = &type, .inputs = {x}, .n_inputs = 1});
}

static Status mean_backward(const Node *node, Tensor *const *grads_out,
                            Tensor **grads_in)
{
    Shape shape = node_input_shape(node, 0);
    Tensor *share = tensor_div_real(grads_out[0], (double)shape_count(shape));
    return made(grads_in[0] = tensor_expand(share, shape));
}

Tensor *tensor_mean(Tensor *x)
{
    static const NodeType type = {"MeanBackward0", mean_backward};
    Array out = {0};
    if (!CHECK_NOT_NULL(x))
        return NULL;
    return finish(op_mean(&x->array, &out), &out,
                  &(Step){.type = &type, .inputs = {x}, .n_inputs = 1});
}

/* The elements that are the largest share the gradient evenly. */
static Status max_backward(const Node *node, Tensor *const *grads_out,
                           Tensor **grads_in)
{
    Tensor *x = node_saved(node, 0), *largest = node_saved(node, 1);
    Array out = {0};
    Tensor *mask = finish(
        op_binary(BINARY_SAME, &x->array, &largest->array, &out), &out, NULL);
    Tensor *share = tensor_div(grads_out[0], tensor_sum(mask));
    return made(grads_in[0] = tensor_mul(mask, share));
}

Tensor *tensor_max(Tensor *x)
{
    static const NodeType type = {"MaxBackward1", max_backward};
    Array out = {0};
    if (!CHECK_NOT_NULL(x))
        return NULL;
    return finish(op_max(&x->array, &out), &out,
                  &(Step){.type = &type,
                          .inputs = {x},
                          .n_inputs = 1,
                          .saved = {x},
                          .n_saved = 1,
                          .saves_result = true});
}

/* ---- along one dimension ------------------------------------------------- */

/* The shape with a reduced dim back, as size 1. */
static Tensor *with_dim(Tensor *gradient, Shape shape, int dim)
{
    if (shape.n_dims == 0)
        return gradient;
    shape.dims[dim < 0 ? dim + shape.n_dims : dim] = 1;
    return tensor_reshape(gradient, shape);
}

static Status sum_dim_backward(const Node *node, Tensor *const *grads_out,
                               Tensor **grads_in)
{
    Shape shape = node_input_shape(node, 0);
    int dim = *(const int *)node_constants(node);
    return made(grads_in[0] =
                    tensor_expand(with_dim(grads_out[0], shape, dim), shape));
}

Tensor *tensor_sum_dim(Tensor *x, int dim, bool keep_dim)
{
    static const NodeType type = {"SumBackward1", sum_dim_backward};
    Array out = {0};
    if (!CHECK_NOT_NULL(x))
        return NULL;
    return finish(op_sum_dim(&x->array, dim, keep_dim, &out), &out,
                  &(Step){.type = &type,
                          .inputs = {x},
                          .n_inputs = 1,
                          .numbers = &dim,
                          .n_bytes = sizeof dim});
}

static Status mean_dim_backward(const Node *node, Tensor *const *grads_out,
                                Tensor **grads_in)
{
    Shape shape = node_input_shape(node, 0);
    int dim = *(const int *)node_constants(node);
    int64_t n =
        shape.n_dims == 0 ? 1 : shape.dims[dim < 0 ? dim + shape.n_dims : dim];
    Tensor *share = tensor_div_real(grads_out[0], (double)n);
    return made(grads_in[0] =
                    tensor_expand(with_dim(share, shape, dim), shape));
}

Tensor *tensor_mean_dim(Tensor *x, int dim, bool keep_dim)
{
    static const NodeType type = {"MeanBackward1", mean_dim_backward};
    Array out = {0};
    if (!CHECK_NOT_NULL(x))
        return NULL;
    return finish(op_mean_dim(&x->array, dim, keep_dim, &out), &out,
                  &(Step){.type = &type,
                          .inputs = {x},
                          .n_inputs = 1,
                          .numbers = &dim,
                          .n_bytes = sizeof dim});
}

Tensor *tensor_argmax_dim(Tensor *x, int dim)
{
    Array out = {0};
    if (!CHECK_NOT_NULL(x))
        return NULL;
    return finish(op_argmax_dim(&x->array, dim, false, &out), &out, NULL);
}

/* ---- alike? -------------------------------------------------------------- */

bool tensor_equal(Tensor *a, Tensor *b)
{
    bool equal = false;
    return CHECK_NOT_NULL(a) && CHECK_NOT_NULL(b) &&
           op_equal(&a->array, &b->array, &equal) == OK && equal;
}

bool tensor_allclose(Tensor *a, Tensor *b, double rtol, double atol)
{
    bool close = false;
    return CHECK_NOT_NULL(a) && CHECK_NOT_NULL(b) &&
           op_allclose(&a->array, &b->array, rtol, atol, &close) == OK && close;
}

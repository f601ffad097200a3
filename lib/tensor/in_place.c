/* Changes in place, as PyTorch's trailing underscore says. The tensor stays the
 * same object; its older history becomes the input of the new step. */
#include "array/scalar.h"      // defines: scalar_int, scalar_real
#include "ops/copy.h"          // defines: op_copy_into
#include "ops/elementwise.h"   // defines: op_binary_into, op_fill_into
#include "tensor/backward.h"   // defines: made, forget
#include "tensor/functional.h" // defines: tensor_add_, tensor_zero_, …
#include "tensor/object.h"     // defines: finish_in_place, Step

static const NodeType add_type = {"AddBackward0", pass_through};

Tensor *tensor_add_(Tensor *x, Tensor *y)
{
    if (!CHECK_NOT_NULL(x) || !CHECK_NOT_NULL(y) ||
        in_place_allowed(x, &y, 1) != OK)
        return NULL;
    return finish_in_place(
        op_binary_into(BINARY_ADD, &x->array, &y->array), x,
        &(Step){.type = &add_type, .inputs = {x, y}, .n_inputs = 2});
}

static Status scaled_backward(const Node *node, Tensor *const *grads_out,
                              Tensor **grads_in)
{
    double alpha = *(const double *)node_constants(node);
    grads_in[0] = node_needs(node, 0) ? grads_out[0] : NULL;
    if (!node_needs(node, 1))
        return OK;
    return made(grads_in[1] = tensor_mul_real(grads_out[0], alpha));
}

Tensor *tensor_add_scaled_(Tensor *x, Tensor *y, double alpha)
{
    static const NodeType type = {"AddBackward0", scaled_backward};
    if (!CHECK_NOT_NULL(x) || !CHECK_NOT_NULL(y) ||
        in_place_allowed(x, &y, 1) != OK)
        return NULL;
    return finish_in_place(op_add_scaled_into(&x->array, &y->array, alpha), x,
                           &(Step){.type = &type,
                                   .inputs = {x, y},
                                   .n_inputs = 2,
                                   .numbers = &alpha,
                                   .n_bytes = sizeof alpha});
}

static Tensor *with_number(const char *function, Binary op,
                           const NodeType *type, Tensor *x, Scalar number)
{
    if (!CHECK_NOT_NULL_OF(function, x) || in_place_allowed(x, NULL, 0) != OK)
        return NULL;
    double constant = scalar_as_real(number);
    return finish_in_place(op_binary_scalar_into(op, &x->array, number), x,
                           &(Step){.type = type,
                                   .inputs = {x},
                                   .n_inputs = 1,
                                   .numbers = &constant,
                                   .n_bytes = sizeof constant});
}

Tensor *tensor_add_int_(Tensor *x, int64_t number)
{
    return with_number(__func__, BINARY_ADD, &add_type, x, scalar_int(number));
}

Tensor *tensor_add_real_(Tensor *x, double number)
{
    return with_number(__func__, BINARY_ADD, &add_type, x, scalar_real(number));
}

static Status scale_backward(const Node *node, Tensor *const *grads_out,
                             Tensor **grads_in)
{
    double number = *(const double *)node_constants(node);
    return made(grads_in[0] = tensor_mul_real(grads_out[0], number));
}

Tensor *tensor_mul_real_(Tensor *x, double number)
{
    static const NodeType type = {"MulBackward0", scale_backward};
    return with_number(__func__, BINARY_MUL, &type, x, scalar_real(number));
}

Tensor *tensor_zero_(Tensor *x)
{
    static const NodeType type = {"ZeroBackward", forget};
    if (!CHECK_NOT_NULL(x) || in_place_allowed(x, NULL, 0) != OK)
        return NULL;
    return finish_in_place(
        op_fill_into(&x->array, scalar_int(0)), x,
        &(Step){.type = &type, .inputs = {x}, .n_inputs = 1});
}

static Status copy_backward(const Node *node, Tensor *const *grads_out,
                            Tensor **grads_in)
{
    grads_in[1] = node_needs(node, 1) ? grads_out[0] : NULL;
    return forget(node, grads_out, grads_in);
}

Tensor *tensor_copy_(Tensor *x, Tensor *y)
{
    static const NodeType type = {"CopyBackwards", copy_backward};
    if (!CHECK_NOT_NULL(x) || !CHECK_NOT_NULL(y) ||
        in_place_allowed(x, &y, 1) != OK)
        return NULL;
    return finish_in_place(
        op_copy_into(&x->array, &y->array), x,
        &(Step){.type = &type, .inputs = {x, y}, .n_inputs = 2});
}

/* Products of matrices, and x W^T + b.
 *
 * PyTorch names the step after the routine that it picks: vectors Dot and Mv,
 * matrices Mm, batches Bmm, a matrix with bias Addmm.
 */
#include "ops/matmul.h"        // defines: op_matmul, op_linear
#include "tensor/backward.h"   // defines: made
#include "tensor/functional.h" // defines: tensor_matmul, tensor_linear
#include "tensor/object.h"     // defines: finish, Step

/* ---- matmul ----------------------------------------------------------------
 */

/* The last two dims change places. */
static Tensor *transposed(Tensor *x)
{
    return tensor_transpose(x, -2, -1);
}

/* A vector on the left is a row, one on the right is a column; the gradient has
 * that dim again, too. Then, for C = A B: dA = dC B^T and dB = A^T dC. */
static Status matmul_backward(const Node *node, Tensor *const *grads_out,
                              Tensor **grads_in)
{
    Tensor *a = node_saved(node, 0), *b = node_saved(node, 1);
    Tensor *gradient = grads_out[0];
    bool row = node_input_shape(node, 0).n_dims == 1;
    bool column = node_input_shape(node, 1).n_dims == 1;
    if (column)
        gradient = tensor_unsqueeze(gradient, -1);
    if (row)
        gradient = tensor_unsqueeze(gradient, -2);
    if (node_needs(node, 0)) {
        b = column ? tensor_unsqueeze(b, 1) : b;
        Tensor *to_a = tensor_matmul(gradient, transposed(b));
        grads_in[0] = row ? tensor_select(to_a, -2, 0) : to_a;
        TRY(made(grads_in[0]));
    }
    if (node_needs(node, 1)) {
        a = row ? tensor_unsqueeze(a, 0) : a;
        Tensor *to_b = tensor_matmul(transposed(a), gradient);
        grads_in[1] = column ? tensor_select(to_b, -1, 0) : to_b;
        TRY(made(grads_in[1]));
    }
    return OK;
}

static const NodeType dot_type = {"DotBackward", matmul_backward};
static const NodeType mv_type = {"MvBackward", matmul_backward};
static const NodeType row_type = {"SqueezeBackward1", matmul_backward};
static const NodeType mm_type = {"MmBackward", matmul_backward};
static const NodeType bmm_type = {"UnsafeViewBackward", matmul_backward};

static const NodeType *matmul_type(int a_dims, int b_dims)
{
    if (a_dims == 1 && b_dims == 1)
        return &dot_type;
    if (a_dims == 2 && b_dims == 1)
        return &mv_type;
    if (a_dims == 1 && b_dims == 2)
        return &row_type;
    return a_dims == 2 && b_dims == 2 ? &mm_type : &bmm_type;
}

Tensor *tensor_matmul(Tensor *a, Tensor *b)
{
    if (!CHECK_NOT_NULL(a) || !CHECK_NOT_NULL(b))
        return NULL;
    Array out = {0};
    return finish(op_matmul(&a->array, &b->array, &out), &out,
                  &(Step){.type = matmul_type(a->array.shape.n_dims,
                                              b->array.shape.n_dims),
                          .inputs = {a, b},
                          .n_inputs = 2,
                          .saved = {saved_for(b, a), saved_for(a, b)},
                          .n_saved = 2});
}

/* ---- linear
 * ------------------------------------------------------------------ */

/* (…, n) as (rows, n) */
static Tensor *as_rows(Tensor *x)
{
    Shape leading = tensor_shape(x);
    int64_t n = leading.dims[--leading.n_dims];
    return tensor_reshape(x, shape(shape_count(leading), n));
}

/* dx = dy W, dW = dy^T x, db = dy summed over the rows (by the walk). */
static Status linear_backward(const Node *node, Tensor *const *grads_out,
                              Tensor **grads_in)
{
    Tensor *x = node_saved(node, 0), *weight = node_saved(node, 1);
    Tensor *gradient = grads_out[0];
    if (node_needs(node, 0))
        TRY(made(grads_in[0] = tensor_matmul(gradient, weight)));
    if (node_needs(node, 1)) {
        Tensor *columns = tensor_transpose(as_rows(gradient), 0, 1);
        TRY(made(grads_in[1] = tensor_matmul(columns, as_rows(x))));
    }
    if (node_n_inputs(node) > 2 && node_needs(node, 2))
        grads_in[2] = gradient;
    return OK;
}

static const NodeType addmm_type = {"AddmmBackward", linear_backward};
static const NodeType add_type = {"AddBackward0", linear_backward};
static const NodeType linear_mm_type = {"MmBackward", linear_backward};
static const NodeType linear_bmm_type = {"UnsafeViewBackward", linear_backward};
static const NodeType linear_row_type = {"SqueezeBackward1", linear_backward};

static const NodeType *linear_type(int x_dims, bool has_bias)
{
    if (has_bias)
        return x_dims == 2 ? &addmm_type : &add_type;
    if (x_dims == 1)
        return &linear_row_type;
    return x_dims == 2 ? &linear_mm_type : &linear_bmm_type;
}

Tensor *tensor_linear(Tensor *x, Tensor *weight, Tensor *bias)
{
    // A bias that is NULL because it failed is no missing bias.
    if (!CHECK_NOT_NULL(x) || !CHECK_NOT_NULL(weight) ||
        (bias == NULL && status_peek() != OK))
        return NULL;
    Array out = {0};
    Status status = op_linear(&x->array, &weight->array,
                              bias != NULL ? &bias->array : NULL, &out);
    return finish(
        status, &out,
        &(Step){.type = linear_type(x->array.shape.n_dims, bias != NULL),
                .inputs = {x, weight, bias},
                .n_inputs = bias != NULL ? 3 : 2,
                .saved = {saved_for(weight, x), saved_for(x, weight)},
                .n_saved = 2});
}

/* Sums, differences, products, quotients and powers, each beside its
 * gradient. */
#include "ops/elementwise.h"   // defines: op_binary, op_binary_scalar
#include "tensor/backward.h"   // defines: made, zeros_for
#include "tensor/functional.h" // defines: tensor_add, tensor_mul, …
#include "tensor/object.h"     // defines: finish, Step

/* ---- two tensors ------------------------------------------------------- */

/* first, second: a and b where backward will ask for them, else NULL. */
static Tensor *binary(Binary op, const NodeType *type, Tensor *a, Tensor *b,
                      Tensor *first, Tensor *second)
{
    Array out = {0};
    return finish(op_binary(op, &a->array, &b->array, &out), &out,
                  &(Step){.type = type,
                          .inputs = {a, b},
                          .n_inputs = 2,
                          .saved = {first, second},
                          .n_saved = first || second ? 2 : 0});
}

static const NodeType add_type = {"AddBackward0", pass_through};

Tensor *tensor_add(Tensor *a, Tensor *b)
{
    if (!CHECK_NOT_NULL(a) || !CHECK_NOT_NULL(b))
        return NULL;
    return binary(BINARY_ADD, &add_type, a, b, NULL, NULL);
}

static Status sub_backward(const Node *node, Tensor *const *grads_out,
                           Tensor **grads_in)
{
    if (node_needs(node, 0))
        grads_in[0] = grads_out[0];
    if (!node_needs(node, 1))
        return OK;
    return made(grads_in[1] = tensor_neg(grads_out[0]));
}

static const NodeType sub_type = {"SubBackward0", sub_backward};

Tensor *tensor_sub(Tensor *a, Tensor *b)
{
    if (!CHECK_NOT_NULL(a) || !CHECK_NOT_NULL(b))
        return NULL;
    return binary(BINARY_SUB, &sub_type, a, b, NULL, NULL);
}

static Status mul_backward(const Node *node, Tensor *const *grads_out,
                           Tensor **grads_in)
{
    for (int i = 0; i < 2; i++)
        if (node_needs(node, i))
            TRY(made(grads_in[i] =
                         tensor_mul(grads_out[0], node_saved(node, 1 - i))));
    return OK;
}

static const NodeType mul_type = {"MulBackward0", mul_backward};

Tensor *tensor_mul(Tensor *a, Tensor *b)
{
    if (!CHECK_NOT_NULL(a) || !CHECK_NOT_NULL(b))
        return NULL;
    return binary(BINARY_MUL, &mul_type, a, b, saved_for(b, a),
                  saved_for(a, b));
}

/* d(a/b) = da / b - (a/b) / b db */
static Status div_backward(const Node *node, Tensor *const *grads_out,
                           Tensor **grads_in)
{
    Tensor *a = node_saved(node, 0), *b = node_saved(node, 1);
    if (node_needs(node, 0))
        TRY(made(grads_in[0] = tensor_div(grads_out[0], b)));
    if (!node_needs(node, 1))
        return OK;
    Tensor *slope = tensor_div(tensor_div(a, b), b);
    return made(grads_in[1] = tensor_mul(tensor_neg(grads_out[0]), slope));
}

static const NodeType div_type = {"DivBackward0", div_backward};

Tensor *tensor_div(Tensor *a, Tensor *b)
{
    if (!CHECK_NOT_NULL(a) || !CHECK_NOT_NULL(b))
        return NULL;
    return binary(BINARY_DIV, &div_type, a, b, saved_for(b, a), b);
}

/* ---- one tensor --------------------------------------------------------- */

static Status neg_backward(const Node *node, Tensor *const *grads_out,
                           Tensor **grads_in)
{
    (void)node;
    return made(grads_in[0] = tensor_neg(grads_out[0]));
}

Tensor *tensor_neg(Tensor *x)
{
    static const NodeType type = {"NegBackward", neg_backward};
    Array out = {0};
    if (!CHECK_NOT_NULL(x))
        return NULL;
    return finish(op_unary(UNARY_NEG, &x->array, &out), &out,
                  &(Step){.type = &type, .inputs = {x}, .n_inputs = 1});
}

/* ---- a tensor and a number ------------------------------------------------
 */

static Tensor *with_number(const char *function, Binary op,
                           const NodeType *type, Tensor *x, Scalar number,
                           bool saves_input)
{
    if (!CHECK_NOT_NULL_OF(function, x))
        return NULL;
    Array out = {0};
    double constant = scalar_as_real(number);
    return finish(op_binary_scalar(op, &x->array, number, &out), &out,
                  &(Step){.type = type,
                          .inputs = {x},
                          .n_inputs = 1,
                          .saved = {x},
                          .n_saved = saves_input,
                          .numbers = &constant,
                          .n_bytes = sizeof constant});
}

static double number_of(const Node *node)
{
    return *(const double *)node_constants(node);
}

Tensor *tensor_add_int(Tensor *x, int64_t number)
{
    return with_number(__func__, BINARY_ADD, &add_type, x, scalar_int(number),
                       false);
}

Tensor *tensor_add_real(Tensor *x, double number)
{
    return with_number(__func__, BINARY_ADD, &add_type, x, scalar_real(number),
                       false);
}

static Status scale_backward(const Node *node, Tensor *const *grads_out,
                             Tensor **grads_in)
{
    return made(grads_in[0] = tensor_mul_real(grads_out[0], number_of(node)));
}

static const NodeType scale_type = {"MulBackward0", scale_backward};

Tensor *tensor_mul_int(Tensor *x, int64_t number)
{
    return with_number(__func__, BINARY_MUL, &scale_type, x, scalar_int(number),
                       false);
}

Tensor *tensor_mul_real(Tensor *x, double number)
{
    return with_number(__func__, BINARY_MUL, &scale_type, x,
                       scalar_real(number), false);
}

static Status shrink_backward(const Node *node, Tensor *const *grads_out,
                              Tensor **grads_in)
{
    return made(grads_in[0] = tensor_div_real(grads_out[0], number_of(node)));
}

Tensor *tensor_div_real(Tensor *x, double number)
{
    static const NodeType type = {"DivBackward0", shrink_backward};
    return with_number(__func__, BINARY_DIV, &type, x, scalar_real(number),
                       false);
}

/* d(x^n) = n x^(n-1) dx; nothing flows when n is 0, whatever x is. */
static Status pow_backward(const Node *node, Tensor *const *grads_out,
                           Tensor **grads_in)
{
    double n = number_of(node);
    if (n == 0)
        return made(grads_in[0] = zeros_for(node, 0));
    Tensor *slope =
        tensor_mul_real(tensor_pow_real(node_saved(node, 0), n - 1), n);
    return made(grads_in[0] = tensor_mul(grads_out[0], slope));
}

static const NodeType pow_type = {"PowBackward0", pow_backward};

Tensor *tensor_pow(Tensor *x, int64_t exponent)
{
    return with_number(__func__, BINARY_POW, &pow_type, x, scalar_int(exponent),
                       true);
}

Tensor *tensor_pow_real(Tensor *x, double exponent)
{
    return with_number(__func__, BINARY_POW, &pow_type, x,
                       scalar_real(exponent), true);
}

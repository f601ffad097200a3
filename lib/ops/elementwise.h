/* One number of the result from one number of each input.
 *
 * shape   inputs broadcast: dims are matched from the last; 1 stretches
 * dtype   PyTorch's promotion, with categories: a 0-dimensional array or a
 *         Scalar only matters if its category (bool < int < float) is higher
 * place   all inputs on one device, and the result there, whatever the current
 *         device is; a 0-dimensional CPU array may join GPU arrays
 * owner   out is the caller's: array_release; untouched after a failure
 * errors  ERR_DEVICE  "expected device cuda:7 but got device cpu"
 *         ERR_RUNTIME "The size of tensor a (3) must match the size of tensor
 *                     b (4) at non-singleton dimension 1"; ERR_MEMORY, ERR_CUDA
 * source  PyTorch 1.13, Broadcasting semantics; torch.dtype, type promotion
 */
#ifndef OPS_ELEMENTWISE_H
#define OPS_ELEMENTWISE_H

#include "array/array.h"  // defines: Array
#include "array/scalar.h" // defines: Scalar

/* Integers become float32 first in all but NEG, ABS, SQUARE and RELU. */
typedef enum Unary {
    UNARY_NEG,
    UNARY_ABS,
    UNARY_SQUARE,
    UNARY_RELU,
    UNARY_EXP,
    UNARY_LOG,
    UNARY_SQRT,
    UNARY_TANH,
    UNARY_SIGMOID,
    N_UNARY,
} Unary;

typedef enum Binary {
    BINARY_ADD, // of bools: or
    BINARY_SUB, // of no bools
    BINARY_MUL, // of bools: and
    BINARY_DIV, // integers become float32 first
    BINARY_POW,
    BINARY_MAXIMUM,
    BINARY_MINIMUM,
    // Comparisons: the result is BOOL.
    BINARY_EQ,
    BINARY_SAME, // equal, or both NaN
    BINARY_NE,
    BINARY_LT,
    BINARY_LE,
    BINARY_GT,
    BINARY_GE,
    // Gradients, of floats: a is what came back, b what went out before.
    BINARY_RELU_BACKWARD,    // b <= 0 ? 0 : a
    BINARY_TANH_BACKWARD,    // a * (1 - b * b)
    BINARY_SIGMOID_BACKWARD, // a * (1 - b) * b
    N_BINARY,
} Binary;

API Status op_unary(Unary op, const Array *x, Array *out);
API Status op_binary(Binary op, const Array *a, const Array *b, Array *out);
API Status op_binary_scalar(Binary op, const Array *a, Scalar b, Array *out);
API Status op_scalar_binary(Binary op, Scalar a, const Array *b, Array *out);

/* In place: x becomes x op y. y broadcasts to x, never the other way.
 * errors  ERR_RUNTIME "output with shape [2] doesn't match the broadcast shape
 *         [2, 2]"; "result type Float can't be cast to the desired output type
 *         Long"; ERR_DEVICE "output with device cpu doesn't match the desired
 *         device cuda:0" */
API Status op_binary_into(Binary op, Array *x, const Array *y);
API Status op_binary_scalar_into(Binary op, Array *x, Scalar y);
/* x becomes x + alpha * y with one fma a number (floats), in the wider dtype of
 * the two. */
API Status op_add_scaled_into(Array *x, const Array *y, double alpha);
API Status op_fill_into(Array *x, Scalar value);

/* condition ? a : b. errors  ERR_RUNTIME "where expected condition to be a
 * boolean tensor, but got a tensor with dtype Float" */
API Status op_where(const Array *condition, const Array *a, const Array *b,
                    Array *out);

static inline Status op_add(const Array *a, const Array *b, Array *out)
{
    return op_binary(BINARY_ADD, a, b, out);
}

static inline Status op_sub(const Array *a, const Array *b, Array *out)
{
    return op_binary(BINARY_SUB, a, b, out);
}

static inline Status op_mul(const Array *a, const Array *b, Array *out)
{
    return op_binary(BINARY_MUL, a, b, out);
}

static inline Status op_div(const Array *a, const Array *b, Array *out)
{
    return op_binary(BINARY_DIV, a, b, out);
}

static inline Status op_add_scalar(const Array *a, Scalar b, Array *out)
{
    return op_binary_scalar(BINARY_ADD, a, b, out);
}

static inline Status op_mul_scalar(const Array *a, Scalar b, Array *out)
{
    return op_binary_scalar(BINARY_MUL, a, b, out);
}

/* errors  ERR_RUNTIME "Integers to negative integer powers are not allowed." */
static inline Status op_pow_scalar(const Array *a, Scalar b, Array *out)
{
    return op_binary_scalar(BINARY_POW, a, b, out);
}

#endif

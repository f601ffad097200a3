/* Arithmetic on tensors. The result lives where its inputs live.
 *
 * All: owner the current scope; NULL after a failure. Two tensors must be on
 * one device (ERR_DEVICE "expected device cuda:7 but got device cpu"); only
 * 0-dimensional CPU tensors may join. Shapes broadcast; dtypes promote.
 * source  PyTorch 1.13, torch.*
 */
#ifndef TENSOR_FUNCTIONAL_H
#define TENSOR_FUNCTIONAL_H

#include "tensor/tensor.h" // defines: Tensor

API Tensor *tensor_add(Tensor *a, Tensor *b);
API Tensor *tensor_sub(Tensor *a, Tensor *b);
API Tensor *tensor_mul(Tensor *a, Tensor *b);
API Tensor *tensor_div(Tensor *a, Tensor *b); // integers divide to float32
API Tensor *tensor_neg(Tensor *x);

/* With a number: `_int` as Python's int (keeps integer dtypes), `_real` as
 * Python's float (an integer tensor becomes float32). */
API Tensor *tensor_add_int(Tensor *x, int64_t number);
API Tensor *tensor_add_real(Tensor *x, double number);
API Tensor *tensor_mul_int(Tensor *x, int64_t number);
API Tensor *tensor_mul_real(Tensor *x, double number);
API Tensor *tensor_div_real(Tensor *x, double number);
/* x ** exponent; int64 stays int64. */
API Tensor *tensor_pow(Tensor *x, int64_t exponent);
API Tensor *tensor_pow_real(Tensor *x, double exponent);

/* In place, as PyTorch's trailing underscore says: x changes, x is returned. */
API Tensor *tensor_add_(Tensor *x, Tensor *y);
API Tensor *tensor_add_int_(Tensor *x, int64_t number);
API Tensor *tensor_add_real_(Tensor *x, double number);
API Tensor *tensor_mul_real_(Tensor *x, double number);
API Tensor *tensor_zero_(Tensor *x);
/* x + alpha * y, one fma a number: what optimisers do. */
API Tensor *tensor_add_scaled_(Tensor *x, Tensor *y, double alpha);
/* x's values become y's, converted and moved as needed. */
API Tensor *tensor_copy_(Tensor *x, Tensor *y);

API Tensor *tensor_exp(Tensor *x);
API Tensor *tensor_log(Tensor *x);
API Tensor *tensor_sqrt(Tensor *x);
API Tensor *tensor_relu(Tensor *x);
API Tensor *tensor_tanh(Tensor *x);
API Tensor *tensor_sigmoid(Tensor *x);

/* Over all elements (a 0-dimensional result) or along one dimension. */
API Tensor *tensor_sum(Tensor *x);
API Tensor *tensor_sum_dim(Tensor *x, int dim, bool keep_dim);
API Tensor *tensor_mean(Tensor *x);
API Tensor *tensor_mean_dim(Tensor *x, int dim, bool keep_dim);
API Tensor *tensor_max(Tensor *x);
API Tensor *tensor_argmax_dim(Tensor *x, int dim);

API Tensor *tensor_matmul(Tensor *a, Tensor *b);
/* x W^T + b; W (out, in), b (out) or NULL. */
API Tensor *tensor_linear(Tensor *x, Tensor *weight, Tensor *bias);

/* Equal shape and values; on one device. errors  ERR_DEVICE; false then */
API bool tensor_equal(Tensor *a, Tensor *b);
API bool tensor_allclose(Tensor *a, Tensor *b, double rtol, double atol);

/* Views where PyTorch gives views (memory shared), copies where it copies. */
API Tensor *tensor_reshape(Tensor *x, Shape shape); // one dim may be -1
API Tensor *tensor_transpose(Tensor *x, int dim0, int dim1);
API Tensor *tensor_slice(Tensor *x, int dim, int64_t start, int64_t end);
API Tensor *tensor_select(Tensor *x, int dim, int64_t index);
API Tensor *tensor_unsqueeze(Tensor *x, int dim);
/* Sizes 1 seen many times, no memory used; -1 keeps a size. */
API Tensor *tensor_expand(Tensor *x, Shape shape);
API Tensor *tensor_contiguous(Tensor *x);
API Tensor *tensor_cat(Tensor *const *tensors, int n, int dim);
API Tensor *tensor_stack(Tensor *const *tensors, int n, int dim);
/* torch.chunk: pieces of ceil(size / n); writes up to n views, returns how many
 * there are (may be fewer), or -1. */
API int tensor_chunk(Tensor *x, int n, int dim, Tensor **out);
/* Rows of x by int64 index along a dim. Out of range: IndexError on the CPU, a
 * device-side assert on a GPU (reported later, sticky). */
API Tensor *tensor_index_select(Tensor *x, int dim, Tensor *index);

#endif

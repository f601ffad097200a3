/* Many numbers to fewer.
 *
 * Sums have one fixed tree, the same on every target: a level takes n numbers
 * to G = ceil(n/64), group g adding x[g], x[g+G], x[g+2G], … in that order;
 * levels repeat until one number is left. float16, bfloat16 and float32 add in
 * float32, float64 in float64, the rest in int64.
 *
 * place   the result lives where x lives
 * owner   out is the caller's: array_release; untouched after a failure
 * errors  ERR_INDEX "Dimension out of range (expected to be in range of [-2,
 *         1], but got 5)"; ERR_MEMORY, ERR_CUDA
 * source  PyTorch 1.13, Reduction Ops
 */
#ifndef OPS_REDUCE_H
#define OPS_REDUCE_H

#include "array/array.h" // defines: Array

/* Over all numbers: a 0-dimensional result. The sum of integers and bools is
 * int64.
 * errors  ERR_RUNTIME "mean(): could not infer output dtype. Input dtype must
 *         be either a floating point or complex dtype. Got: Long"; "max():
 *         Expected reduction dim to be specified for input.numel() == 0.
 *         Specify the reduction dim with the 'dim' argument." */
API Status op_sum(const Array *x, Array *out);
API Status op_mean(const Array *x, Array *out);
API Status op_max(const Array *x, Array *out);
API Status op_argmax(const Array *x, Array *out); // into the flattened x

/* Along one dim, which goes away or stays with size 1. */
API Status op_sum_dim(const Array *x, int dim, bool keep_dim, Array *out);
API Status op_mean_dim(const Array *x, int dim, bool keep_dim, Array *out);
/* The first of equals; a NaN is larger than every number. indices (int64) may
 * be NULL, values too. */
API Status op_max_dim(const Array *x, int dim, bool keep_dim, Array *values,
                      Array *indices);
API Status op_argmax_dim(const Array *x, int dim, bool keep_dim, Array *out);

/* Undo a broadcast: sum x over the dims in which `shape` is 1 or absent. For
 * gradients. x itself, shared, when there is nothing to sum. */
API Status op_sum_to(const Array *x, Shape shape, Array *out);

/* Equal shape and values; a NaN equals nothing. The host waits for the answer.
 * errors  ERR_DEVICE "expected device cuda:7 but got device cpu"; *out is
 *         then untouched */
API Status op_equal(const Array *a, const Array *b, bool *out);
/* |a - b| <= atol + rtol * |b| everywhere (broadcasting).
 * errors  ERR_RUNTIME "Float did not match Double" */
API Status op_allclose(const Array *a, const Array *b, double rtol, double atol,
                       bool *out);

#endif

/* How an op prepares a kernel's arguments. Not for programs. */
#ifndef OPS_PLAN_H
#define OPS_PLAN_H

#include "array/array.h"      // defines: Array
#include "array/scalar.h"     // defines: Scalar
#include "ops/kernel.h"       // defines: Kernel
#include "ops/kernels/walk.h" // defines: Walk

/* The walk over arrays that broadcast to `shape`; arrays[0] is the result.
 * Dims of size 1 are dropped, dims without gaps merged. Cannot fail. */
Walk plan_walk(Shape shape, const Array *const *arrays, int n_arrays);

/* The walk over n numbers in C order, as many in each array. */
void plan_row(Walk *walk, int64_t n);

/* How many threads a kernel over that walk needs; n_arrays: how many it
 * walks over; widest: the largest dtype among them. On a GPU a thread of a flat
 * walk takes sixteen bytes (ops/kernels/pack.h). */
int64_t plan_threads(const Walk *walk, int n_arrays, DType widest);

/* x seen as (outer, n, inner) around one dim; x is in C order. */
typedef struct Blocks {
    int64_t outer, n, inner;
} Blocks;
Blocks plan_blocks(const Array *x, int dim);

/* x in another dtype, or x itself, shared. */
Status plan_cast(const Array *x, DType dtype, Array *out);

/* The one number of a 0-dimensional CPU array. */
Scalar plan_scalar_of(const Array *x);
/* A scalar as that dtype holds it. */
double plan_real(Scalar scalar, DType dtype);
uint64_t plan_bits(Scalar scalar, DType dtype);

/* Which of the width kernels serves this dtype: 0 … 3 for 8 … 64 bits. */
int plan_width(DType dtype);

/* May numbers of dtype `from` be written into an array of dtype `to`?
 * errors  ERR_RUNTIME "result type Float can't be cast to the desired output
 *         type Long" */
Status plan_check_cast(DType from, DType to);
/* May x be written to: is no number seen twice?
 * errors  ERR_RUNTIME "unsupported operation: more than one element …" */
Status plan_check_writable(const Array *x);

/* The kernels of one family by dtype, in the order of DType. */
#define PLAN_FLOATS(op)                                                        \
    [FLOAT16] = &op##_f16_kernel, [BFLOAT16] = &op##_bf16_kernel,              \
    [FLOAT32] = &op##_f32_kernel, [FLOAT64] = &op##_f64_kernel
#define PLAN_NUMBERS(op)                                                       \
    [UINT8] = &op##_u8_kernel, [INT32] = &op##_i32_kernel,                     \
    [INT64] = &op##_i64_kernel, PLAN_FLOATS(op)
#define PLAN_ALL(op) [BOOL] = &op##_b8_kernel, PLAN_NUMBERS(op)
#define PLAN_WIDTHS(op)                                                        \
    {                                                                          \
        &op##_8_kernel, &op##_16_kernel, &op##_32_kernel, &op##_64_kernel      \
    }

#endif

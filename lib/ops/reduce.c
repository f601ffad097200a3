/* Many numbers to fewer: sums, means and maxima. */
#include "ops/reduce.h"           // defines: op_sum, op_mean, op_max
#include "ops/copy.h"             // defines: op_contiguous, op_reshape
#include "ops/create.h"           // defines: op_full
#include "ops/elementwise.h"      // defines: op_binary_scalar_into
#include "ops/kernels/copy.k.h"   // defines: SelectArgs, take kernels
#include "ops/kernels/reduce.k.h" // defines: SumArgs, ArgmaxArgs
#include "ops/plan.h"             // defines: plan_blocks, plan_cast

enum { FAN_IN = 64 }; // numbers that one lane of a level adds

static int64_t n_groups(int64_t n)
{
    return (n + FAN_IN - 1) / FAN_IN;
}

/* What numbers of this dtype are added in. */
static DType sum_dtype(DType dtype)
{
    if (dtype == FLOAT64)
        return FLOAT64;
    return dtype_is_floating(dtype) ? FLOAT32 : INT64;
}

static Shape blocks_shape(Blocks blocks)
{
    return shape(blocks.outer, blocks.n, blocks.inner);
}

/* One level: (outer, n, inner) to (outer, groups, inner), in the dtype of the
 * sum. */
static Status sum_level(const Array *x, Blocks blocks, Array *out)
{
    static const Kernel *const kernels[N_DTYPES] = {PLAN_ALL(sum)};
    Blocks left = {blocks.outer, n_groups(blocks.n), blocks.inner};
    Array result = {0};
    TRY(array_new(sum_dtype(x->dtype), blocks_shape(left), array_device(x),
                  &result));
    SumArgs args = {array_data(x), array_data(&result), blocks.outer,
                    blocks.n,      blocks.inner,        left.n};
    Status status = kernel_run(array_device(x), kernels[x->dtype], &args,
                               SUM_THREADS(left.outer, left.n * left.inner));
    if (status == OK)
        *out = result;
    else
        array_release(&result);
    return status;
}

/* All levels: (outer, 1, inner), in the dtype of the sum. x in C order. */
static Status sum_blocks(const Array *x, Blocks blocks, Array *out)
{
    if (blocks.n == 0)
        return op_full(sum_dtype(x->dtype),
                       shape(blocks.outer, 1, blocks.inner), scalar_int(0),
                       array_device(x), out);
    Array sums = array_share(x);
    do {
        Array next = {0};
        Status status = sum_level(&sums, blocks, &next);
        array_release(&sums);
        TRY(status);
        sums = next;
        blocks.n = n_groups(blocks.n);
    } while (blocks.n > 1);
    *out = sums;
    return OK;
}

/* a's shape with dim gone, or of size 1. */
static Shape reduced_shape(Shape shape, int dim, bool keep_dim)
{
    if (shape.n_dims == 0)
        return shape;
    shape.dims[dim] = 1;
    if (keep_dim)
        return shape;
    for (int d = dim; d + 1 < shape.n_dims; d++)
        shape.dims[d] = shape.dims[d + 1];
    shape.n_dims--;
    return shape;
}

/* Sum x over its blocks; divide by `divisor` unless that is negative; as
 * `dtype`. */
static Status sum_as(const Array *x, Blocks blocks, Shape shape, double divisor,
                     DType dtype, Array *out)
{
    Array in_order = {0};
    Array sums = {0};
    Array shaped = {0};
    Status status = op_contiguous(x, &in_order);
    if (status == OK)
        status = sum_blocks(&in_order, blocks, &sums);
    if (status == OK && divisor >= 0)
        status = op_binary_scalar_into(BINARY_DIV, &sums, scalar_real(divisor));
    if (status == OK)
        status = op_reshape(&sums, shape, &shaped);
    if (status == OK)
        status = plan_cast(&shaped, dtype, out);
    array_release(&in_order);
    array_release(&sums);
    array_release(&shaped);
    return status;
}

static DType sum_result(DType dtype)
{
    return dtype_is_floating(dtype) ? dtype : INT64;
}

static Status check_mean(const Array *x)
{
    if (dtype_is_floating(x->dtype))
        return OK;
    return status_fail(
        ERR_RUNTIME,
        "mean(): could not infer output dtype. Input dtype must be either a "
        "floating point or complex dtype. Got: %s",
        dtype_scalar_name(x->dtype));
}

Status op_sum(const Array *x, Array *out)
{
    Blocks all = {1, array_count(x), 1};
    return sum_as(x, all, shape_scalar(), -1, sum_result(x->dtype), out);
}

Status op_mean(const Array *x, Array *out)
{
    TRY(check_mean(x));
    Blocks all = {1, array_count(x), 1};
    return sum_as(x, all, shape_scalar(), (double)all.n, x->dtype, out);
}

Status op_sum_dim(const Array *x, int dim, bool keep_dim, Array *out)
{
    TRY(shape_dim(dim, x->shape.n_dims, &dim));
    return sum_as(x, plan_blocks(x, dim),
                  reduced_shape(x->shape, dim, keep_dim), -1,
                  sum_result(x->dtype), out);
}

Status op_mean_dim(const Array *x, int dim, bool keep_dim, Array *out)
{
    TRY(check_mean(x));
    TRY(shape_dim(dim, x->shape.n_dims, &dim));
    Blocks blocks = plan_blocks(x, dim);
    return sum_as(x, blocks, reduced_shape(x->shape, dim, keep_dim),
                  (double)blocks.n, x->dtype, out);
}

Status op_sum_to(const Array *x, Shape target, Array *out)
{
    Array sums = array_share(x);
    for (int d = 0; d < x->shape.n_dims; d++) {
        int own = d - (x->shape.n_dims - target.n_dims);
        if (own >= 0 && target.dims[own] == x->shape.dims[d])
            continue;
        Array next = {0};
        Status status = op_sum_dim(&sums, d, true, &next);
        array_release(&sums);
        TRY(status);
        sums = next;
    }
    Status status = op_reshape(&sums, target, out);
    array_release(&sums);
    return status;
}

/* One level: which of its candidates is the largest, for each lane. */
static Status argmax_level(const Array *x, const Array *index, Blocks blocks,
                           int64_t size, Array *out)
{
    static const Kernel *const kernels[N_DTYPES] = {PLAN_ALL(argmax)};
    Blocks left = {blocks.outer, n_groups(blocks.n), blocks.inner};
    Array result = {0};
    TRY(array_new(INT64, blocks_shape(left), array_device(x), &result));
    ArgmaxArgs args = {
        .x = array_data(x),
        .index = index->storage ? array_data(index) : NULL,
        .out = array_data(&result),
        .outer = blocks.outer,
        .n = blocks.n,
        .inner = blocks.inner,
        .groups = left.n,
        .size = size,
    };
    Status status = kernel_run(array_device(x), kernels[x->dtype], &args,
                               left.outer * left.n * left.inner);
    if (status == OK)
        *out = result;
    else
        array_release(&result);
    return status;
}

/* (outer, 1, inner) of int64. x in C order, blocks.n > 0. */
static Status argmax_blocks(const Array *x, Blocks blocks, Array *out)
{
    int64_t size = blocks.n;
    Array best = {0};
    do {
        Array next = {0};
        Status status = argmax_level(x, &best, blocks, size, &next);
        array_release(&best);
        TRY(status);
        best = next;
        blocks.n = n_groups(blocks.n);
    } while (blocks.n > 1);
    *out = best;
    return OK;
}

/* The numbers at these places along the blocks' dim. */
static Status take(const Array *x, Blocks blocks, const Array *index,
                   Array *out)
{
    static const Kernel *const kernels[] = PLAN_WIDTHS(take);
    Array result = {0};
    TRY(array_new(x->dtype, index->shape, array_device(x), &result));
    SelectArgs args = {
        .x = array_data(x),
        .index = array_data(index),
        .out = array_data(&result),
        .outer = blocks.outer,
        .n = blocks.n,
        .inner = blocks.inner,
    };
    Status status = kernel_run(array_device(x), kernels[plan_width(x->dtype)],
                               &args, blocks.outer * blocks.inner);
    if (status == OK)
        *out = result;
    else
        array_release(&result);
    return status;
}

/* Either of values and indices may be NULL. */
static Status max_blocks(const Array *x, Blocks blocks, Shape shape,
                         Array *values, Array *indices)
{
    Array in_order = {0};
    Array best = {0};
    Array found = {0};
    Array shaped = {0};
    Status status = op_contiguous(x, &in_order);
    if (status == OK)
        status = argmax_blocks(&in_order, blocks, &best);
    if (status == OK && values)
        status = take(&in_order, blocks, &best, &found);
    if (status == OK && values)
        status = op_reshape(&found, shape, &shaped);
    if (status == OK && indices)
        status = op_reshape(&best, shape, indices);
    if (status == OK && values)
        *values = array_share(&shaped);
    array_release(&in_order);
    array_release(&best);
    array_release(&found);
    array_release(&shaped);
    return status;
}

Status op_max(const Array *x, Array *out)
{
    Blocks all = {1, array_count(x), 1};
    if (all.n == 0)
        return status_fail(ERR_RUNTIME,
                           "max(): Expected reduction dim to be specified for "
                           "input.numel() == 0. Specify the reduction dim with "
                           "the 'dim' argument.");
    return max_blocks(x, all, shape_scalar(), out, NULL);
}

Status op_argmax(const Array *x, Array *out)
{
    Blocks all = {1, array_count(x), 1};
    if (all.n == 0)
        return status_fail(ERR_INDEX, "argmax(): Expected reduction dim to be "
                                      "specified for input.numel() == 0.");
    return max_blocks(x, all, shape_scalar(), NULL, out);
}

static Status max_dim(const char *name, const Array *x, int dim, bool keep_dim,
                      Array *values, Array *indices)
{
    TRY(shape_dim(dim, x->shape.n_dims, &dim));
    Blocks blocks = plan_blocks(x, dim);
    if (blocks.n == 0)
        return status_fail(
            ERR_INDEX, "%s(): Expected reduction dim %d to have non-zero size.",
            name, dim);
    return max_blocks(x, blocks, reduced_shape(x->shape, dim, keep_dim), values,
                      indices);
}

Status op_max_dim(const Array *x, int dim, bool keep_dim, Array *values,
                  Array *indices)
{
    return max_dim("max", x, dim, keep_dim, values, indices);
}

Status op_argmax_dim(const Array *x, int dim, bool keep_dim, Array *out)
{
    return max_dim("argmax", x, dim, keep_dim, NULL, out);
}

/* Putting arrays behind one another, picking slices by index, and choosing
 * between two by a truth. */
#include "ops/check.h"          // defines: check_same_device
#include "ops/copy.h"           // defines: op_cat, op_index_select
#include "ops/elementwise.h"    // defines: op_where
#include "ops/kernels/copy.k.h" // defines: SelectArgs and kernels
#include "ops/plan.h"           // defines: plan_blocks, plan_width

/* PyTorch lets an empty list, shape (0), stand beside anything. */
static bool is_legacy_empty(const Array *a)
{
    return a->shape.n_dims == 1 && a->shape.dims[0] == 0;
}

/* The result's shape, from arrays[first], which is no empty list. */
static Status cat_shape(const Array *const *arrays, int n, int first, int dim,
                        Shape *out)
{
    Shape shape = arrays[first]->shape;
    for (int i = first + 1; i < n; i++) {
        if (is_legacy_empty(arrays[i]))
            continue;
        Shape other = arrays[i]->shape;
        if (other.n_dims != shape.n_dims)
            return status_fail(
                ERR_RUNTIME,
                "Tensors must have same number of dimensions: got %d and %d",
                shape.n_dims, other.n_dims);
        for (int d = 0; d < shape.n_dims; d++)
            if (d != dim && other.dims[d] != shape.dims[d])
                return status_fail(
                    ERR_RUNTIME,
                    "Sizes of tensors must match except in dimension %d. "
                    "Expected size %lld but got size %lld for tensor number %d "
                    "in the list.",
                    dim, (long long)shape.dims[d], (long long)other.dims[d], i);
        shape.dims[dim] += other.dims[dim];
    }
    *out = shape;
    return OK;
}

static Status cat_parts(const Array *const *arrays, int n, int dim, Array *to)
{
    int64_t start = 0;
    for (int i = 0; i < n; i++) {
        if (is_legacy_empty(arrays[i]))
            continue;
        Array part = {0};
        int64_t end = start + arrays[i]->shape.dims[dim];
        TRY(array_slice(to, dim, start, end, &part));
        Status status = op_copy_into(&part, arrays[i]);
        array_release(&part);
        TRY(status);
        start = end;
    }
    return OK;
}

Status op_cat(const Array *const *arrays, int n, int dim, Array *out)
{
    if (n <= 0)
        return status_fail(ERR_RUNTIME,
                           "torch.cat(): expected a non-empty list of Tensors");
    DType dtype = arrays[0]->dtype;
    int first = -1;
    for (int i = 0; i < n; i++) {
        if (arrays[i]->shape.n_dims == 0)
            return status_fail(ERR_RUNTIME,
                               "zero-dimensional tensor (at position %d) "
                               "cannot be concatenated",
                               i);
        TRY(check_same_device(arrays[0], arrays[i]));
        dtype = dtype_promote(dtype, arrays[i]->dtype);
        if (first < 0 && !is_legacy_empty(arrays[i]))
            first = i;
    }
    first = first < 0 ? 0 : first;
    TRY(shape_dim(dim, arrays[first]->shape.n_dims, &dim));
    Shape shape;
    Array result = {0};
    TRY(cat_shape(arrays, n, first, dim, &shape));
    TRY(array_new(dtype, shape, array_device(arrays[0]), &result));
    Status status = cat_parts(arrays, n, dim, &result);
    if (status == OK)
        *out = result;
    else
        array_release(&result);
    return status;
}

/* x, in C order, by an int64 index in C order. */
static Status select_rows(const Array *x, int dim, const Array *index,
                          Array *result)
{
    static const Kernel *const kernels[] = PLAN_WIDTHS(select);
    Blocks blocks = plan_blocks(x, dim);
    SelectArgs args = {
        .x = array_data(x),
        .index = array_data(index),
        .out = array_data(result),
        .outer = blocks.outer,
        .n = blocks.n,
        .inner = blocks.inner,
        .n_index = array_count(index),
    };
    TRY(kernel_run(array_device(x), kernels[plan_width(x->dtype)], &args,
                   args.outer * args.n_index * args.inner));
    if (kernel_failed_index() >= 0)
        return status_fail(ERR_INDEX, "index out of range in self");
    return OK;
}

Status op_index_select(const Array *a, int dim, const Array *index, Array *out)
{
    TRY(check_same_device(a, index));
    if (index->shape.n_dims > 1)
        return status_fail(ERR_INDEX,
                           "index_select(): Index is supposed to be a vector");
    if (index->dtype != INT32 && index->dtype != INT64)
        return status_fail(
            ERR_RUNTIME,
            "index_select(): Expected dtype int32 or int64 for index");
    TRY(shape_dim(dim, a->shape.n_dims, &dim));
    Shape shape = a->shape;
    if (shape.n_dims == 0 && array_count(index) != 1)
        return status_fail(ERR_INDEX,
                           "index_select(): Index to scalar can have only 1 "
                           "value, got %lld value(s)",
                           (long long)array_count(index));
    if (shape.n_dims > 0)
        shape.dims[dim] = array_count(index);
    Array x = {0};
    Array wide = {0};
    Array rows = {0};
    Array result = {0};
    Status status = op_contiguous(a, &x);
    if (status == OK)
        status = plan_cast(index, INT64, &wide);
    if (status == OK)
        status = op_contiguous(&wide, &rows);
    if (status == OK)
        status = array_new(a->dtype, shape, array_device(a), &result);
    if (status == OK)
        status = select_rows(&x, dim, &rows, &result);
    if (status == OK)
        *out = array_share(&result);
    array_release(&x);
    array_release(&wide);
    array_release(&rows);
    array_release(&result);
    return status;
}

Status op_where(const Array *condition, const Array *a, const Array *b,
                Array *out)
{
    static const Kernel *const kernels[] = PLAN_WIDTHS(where);
    if (condition->dtype != BOOL)
        return status_fail(ERR_RUNTIME,
                           "where expected condition to be a boolean tensor, "
                           "but got a tensor with dtype %s",
                           dtype_scalar_name(condition->dtype));
    Shape shape;
    TRY(check_same_device(condition, a));
    TRY(check_same_device(condition, b));
    TRY(check_broadcast(a->shape, b->shape, &shape));
    TRY(check_broadcast(condition->shape, shape, &shape));
    DType dtype = check_result_dtype(a, b);
    Array yes = {0};
    Array no = {0};
    Array result = {0};
    Status status = plan_cast(a, dtype, &yes);
    if (status == OK)
        status = plan_cast(b, dtype, &no);
    if (status == OK)
        status = array_new(dtype, shape, array_device(a), &result);
    if (status != OK)
        goto done;
    const Array *arrays[] = {&result, &yes, &no, condition};
    WhereArgs args = {array_data(&yes), array_data(&no), array_data(condition),
                      array_data(&result), plan_walk(shape, arrays, 4)};
    status = kernel_run(array_device(a), kernels[plan_width(dtype)], &args,
                        args.walk.n);
    if (status == OK)
        *out = array_share(&result);
done:
    array_release(&yes);
    array_release(&no);
    array_release(&result);
    return status;
}

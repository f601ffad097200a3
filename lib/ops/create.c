/* Arrays out of nothing. */
#include "ops/create.h"         // defines: op_zeros, op_full, op_arange
#include "ops/elementwise.h"    // defines: op_fill_into
#include "ops/kernels/copy.k.h" // defines: FillArgs, RangeArgs and kernels
#include "ops/plan.h"           // defines: plan_walk, plan_bits
#include <math.h>

Status op_from_host(DType dtype, Shape shape, const void *data, Device device,
                    Array *out)
{
    Array a = {0};
    TRY(array_new(dtype, shape, device, &a));
    Status status = storage_write(a.storage, 0, data, array_bytes(&a));
    if (status != OK)
        array_release(&a);
    else
        *out = a;
    return status;
}

Status op_fill_into(Array *x, Scalar value)
{
    static const Kernel *const kernels[] = PLAN_WIDTHS(fill);
    TRY(plan_check_writable(x));
    const Array *arrays[] = {x};
    FillArgs args = {
        .out = array_data(x),
        .walk = plan_walk(x->shape, arrays, 1),
        .bits = plan_bits(value, x->dtype),
    };
    return kernel_run(array_device(x), kernels[plan_width(x->dtype)], &args,
                      args.walk.n);
}

Status op_full(DType dtype, Shape shape, Scalar value, Device device,
               Array *out)
{
    Array a = {0};
    TRY(array_new(dtype, shape, device, &a));
    Status status = op_fill_into(&a, value);
    if (status != OK)
        array_release(&a);
    else
        *out = a;
    return status;
}

Status op_zeros(DType dtype, Shape shape, Device device, Array *out)
{
    return op_full(dtype, shape, scalar_int(0), device, out);
}

/* How many whole numbers from `from` on, in steps of `by`, lie before `to`. */
static int64_t count_whole(int64_t from, int64_t to, int64_t by)
{
    uint64_t span =
        by > 0 ? (uint64_t)to - (uint64_t)from : (uint64_t)from - (uint64_t)to;
    uint64_t step = by > 0 ? (uint64_t)by : 0 - (uint64_t)by;
    return (int64_t)(span / step + (span % step != 0));
}

/* How many numbers from start on, in steps, lie before end. */
static Status count_range(Scalar start, Scalar end, Scalar step, int64_t *out)
{
    double from = scalar_as_real(start);
    double to = scalar_as_real(end);
    double by = scalar_as_real(step);
    if (by == 0)
        return status_fail(ERR_RUNTIME, "step must be nonzero");
    if (!isfinite(from) || !isfinite(to))
        return status_fail(ERR_RUNTIME, "unsupported range: %g -> %g", from,
                           to);
    if ((by > 0 && to < from) || (by < 0 && to > from))
        return status_fail(
            ERR_RUNTIME,
            "upper bound and larger bound inconsistent with step sign");
    double n = ceil((to - from) / by);
    if (!(n < 9e18))
        return status_fail(ERR_RUNTIME,
                           "invalid size, possible overflow? (%g numbers)", n);
    bool whole = start.kind != SCALAR_REAL && end.kind != SCALAR_REAL &&
                 step.kind != SCALAR_REAL;
    *out = whole ? count_whole(start.integer, end.integer, step.integer)
                 : (int64_t)n;
    return OK;
}

/* As PyTorch: INT64 cuts the fractions off before it counts; the smaller
 * integers count first, and cut then. */
static Scalar for_counting(DType dtype, Scalar number)
{
    return dtype == INT64 && isfinite(scalar_as_real(number))
               ? scalar_int((int64_t)plan_bits(number, INT64))
               : number;
}

Status op_arange(DType dtype, Scalar start, Scalar end, Scalar step,
                 Device device, Array *out)
{
    static const Kernel *const kernels[N_DTYPES] = {[INT64] = &range_i64_kernel,
                                                    PLAN_FLOATS(range)};
    if (dtype == BOOL)
        return status_fail(ERR_RUNTIME,
                           "\"arange_cpu\" not implemented for 'Bool'");
    RangeArgs args = {
        .start = scalar_as_real(start),
        .step = scalar_as_real(step),
        .integer_start = (int64_t)plan_bits(start, INT64),
        .integer_step = (int64_t)plan_bits(step, INT64),
    };
    DType made = dtype_is_floating(dtype) ? dtype : INT64;
    if (made == INT64 && args.integer_step == 0)
        return status_fail(ERR_RUNTIME, "step must be nonzero");
    TRY(count_range(for_counting(dtype, start), for_counting(dtype, end),
                    for_counting(dtype, step), &args.n));
    Array a = {0};
    TRY(array_new(made, shape(args.n), device, &a));
    args.out = array_data(&a);
    Status status = kernel_run(array_device(&a), kernels[made], &args, args.n);
    if (status == OK)
        status = plan_cast(&a, dtype, out);
    array_release(&a);
    return status;
}

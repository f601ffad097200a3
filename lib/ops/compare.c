/* Are two arrays alike? One answer, which the host waits for. */
#include "ops/check.h"                 // defines: check_same_device
#include "ops/copy.h"                  // defines: op_read
#include "ops/elementwise.h"           // defines: op_binary
#include "ops/kernels/elementwise.k.h" // defines: BinaryArgs, close kernels
#include "ops/plan.h"                  // defines: plan_walk, plan_cast
#include "ops/reduce.h"                // defines: op_equal, op_allclose, op_sum

/* Is each of these bools true? Sums them where they are, reads one number. */
static Status all_true(const Array *bools, bool *out)
{
    Array sum = {0};
    int64_t n_true = 0;
    TRY(op_sum(bools, &sum));
    Status status = op_read(&sum, &n_true);
    array_release(&sum);
    if (status == OK)
        *out = n_true == array_count(bools);
    return status;
}

Status op_equal(const Array *a, const Array *b, bool *out)
{
    TRY(check_same_device(a, b));
    if (!shape_equal(a->shape, b->shape)) {
        *out = false;
        return OK;
    }
    Array same = {0};
    TRY(op_binary(BINARY_EQ, a, b, &same));
    Status status = all_true(&same, out);
    array_release(&same);
    return status;
}

/* a and b of one floating dtype with a close kernel. */
static Status all_close(const Array *a, const Array *b, double rtol,
                        double atol, bool *out)
{
    Shape shape;
    Array near = {0};
    TRY(check_broadcast(a->shape, b->shape, &shape));
    TRY(array_new(BOOL, shape, array_device(a), &near));
    const Array *arrays[] = {&near, a, b};
    BinaryArgs args = {
        .a = array_data(a),
        .b = array_data(b),
        .out = array_data(&near),
        .walk = plan_walk(shape, arrays, 3),
        .real = rtol,
        .more = atol,
    };
    const Kernel *kernel =
        a->dtype == FLOAT32 ? &close_f32_kernel : &close_f64_kernel;
    Status status = kernel_run(array_device(a), kernel, &args,
                               plan_threads(&args.walk, 3, a->dtype));
    if (status == OK)
        status = all_true(&near, out);
    array_release(&near);
    return status;
}

Status op_allclose(const Array *a, const Array *b, double rtol, double atol,
                   bool *out)
{
    TRY(check_same_device(a, b));
    if (a->dtype != b->dtype)
        return status_fail(ERR_RUNTIME, "%s did not match %s",
                           dtype_scalar_name(a->dtype),
                           dtype_scalar_name(b->dtype));
    DType dtype = a->dtype == FLOAT32 ? FLOAT32 : FLOAT64;
    Array wide_a = {0};
    Array wide_b = {0};
    Status status = plan_cast(a, dtype, &wide_a);
    if (status == OK)
        status = plan_cast(b, dtype, &wide_b);
    if (status == OK)
        status = all_close(&wide_a, &wide_b, rtol, atol, out);
    array_release(&wide_a);
    array_release(&wide_b);
    return status;
}

/* Scores to probabilities along a dim, forward and backward. */
#include "ops/softmax.h"           // defines: op_softmax, op_log_softmax
#include "ops/check.h"             // defines: check_same_device
#include "ops/copy.h"              // defines: op_contiguous
#include "ops/kernels/softmax.k.h" // defines: SoftmaxArgs and kernels
#include "ops/plan.h"              // defines: plan_blocks, PLAN_FLOATS

/* PyTorch has a kernel of its own for the last dim. */
static const char *kernel_name(const char *name, const Array *x, int dim)
{
    return dim + 1 < x->shape.n_dims ? "softmax_kernel_impl" : name;
}

/* y may be NULL (forward). */
static Status run(const Kernel *const *kernels, const char *name,
                  const Array *x, const Array *y, int dim, Array *out)
{
    TRY(shape_dim(dim, x->shape.n_dims, &dim));
    if (!kernels[x->dtype])
        return status_fail(ERR_RUNTIME, "\"%s\" not implemented for '%s'",
                           kernel_name(name, x, dim),
                           dtype_scalar_name(x->dtype));
    Array in = {0};
    Array went_out = {0};
    Array result = {0};
    Status status = op_contiguous(x, &in);
    if (status == OK && y)
        status = op_contiguous(y, &went_out);
    if (status == OK)
        status = array_new(x->dtype, x->shape, array_device(x), &result);
    if (status != OK)
        goto done;
    Blocks blocks = plan_blocks(&in, dim);
    SoftmaxArgs args = {
        .x = array_data(&in),
        .y = y ? array_data(&went_out) : NULL,
        .out = array_data(&result),
        .outer = blocks.outer,
        .n = blocks.n,
        .inner = blocks.inner,
    };
    if (blocks.n > 0)
        status = kernel_run(array_device(x), kernels[x->dtype], &args,
                            blocks.outer * blocks.inner);
    if (status == OK)
        *out = array_share(&result);
done:
    array_release(&in);
    array_release(&went_out);
    array_release(&result);
    return status;
}

static Status check_backward(const Array *grad, const Array *y)
{
    TRY(check_same_device(grad, y));
    if (grad->dtype == y->dtype && shape_equal(grad->shape, y->shape))
        return OK;
    return status_fail(ERR_RUNTIME,
                       "the gradient is %s %s, but what went out was %s %s",
                       dtype_name(grad->dtype), shape_list(grad->shape).text,
                       dtype_name(y->dtype), shape_list(y->shape).text);
}

Status op_softmax(const Array *x, int dim, Array *out)
{
    static const Kernel *const kernels[N_DTYPES] = {PLAN_FLOATS(softmax)};
    return run(kernels, "softmax_lastdim_kernel_impl", x, NULL, dim, out);
}

Status op_log_softmax(const Array *x, int dim, Array *out)
{
    static const Kernel *const kernels[N_DTYPES] = {PLAN_FLOATS(log_softmax)};
    return run(kernels, "log_softmax_lastdim_kernel_impl", x, NULL, dim, out);
}

Status op_softmax_backward(const Array *grad, const Array *y, int dim,
                           Array *out)
{
    static const Kernel *const kernels[N_DTYPES] = {
        PLAN_FLOATS(softmax_backward)};
    TRY(check_backward(grad, y));
    return run(kernels, "softmax_backward_lastdim_kernel_impl", grad, y, dim,
               out);
}

Status op_log_softmax_backward(const Array *grad, const Array *y, int dim,
                               Array *out)
{
    static const Kernel *const kernels[N_DTYPES] = {
        PLAN_FLOATS(log_softmax_backward)};
    TRY(check_backward(grad, y));
    return run(kernels, "log_softmax_backward_lastdim_kernel_impl", grad, y,
               dim, out);
}

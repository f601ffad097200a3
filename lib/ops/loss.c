/* Negative log likelihood, over the kernels of loss.k.h. */
#include "ops/loss.h"
#include "base/status.h"        // defines: TRY, status_fail
#include "ops/copy.h"           // defines: op_contiguous, op_read
#include "ops/kernel.h"         // defines: kernel_run, kernel_failed_index
#include "ops/kernels/loss.k.h" // defines: NllArgs, nll_f32_kernel

static const Kernel *const NLL[N_DTYPES] = {
    [FLOAT16] = &nll_f16_kernel,
    [BFLOAT16] = &nll_bf16_kernel,
    [FLOAT32] = &nll_f32_kernel,
    [FLOAT64] = &nll_f64_kernel,
};

static const Kernel *const NLL_BACKWARD[N_DTYPES] = {
    [FLOAT16] = &nll_backward_f16_kernel,
    [BFLOAT16] = &nll_backward_bf16_kernel,
    [FLOAT32] = &nll_backward_f32_kernel,
    [FLOAT64] = &nll_backward_f64_kernel,
};

/* What goes into a kernel, in C order; weight holds nothing without one. */
typedef struct Inputs {
    Array numbers;
    Array target;
    Array weight;
} Inputs;

static void inputs_release(Inputs *inputs)
{
    array_release(&inputs->numbers);
    array_release(&inputs->target);
    array_release(&inputs->weight);
}

static Status inputs_make(const Array *numbers, const Array *target,
                          const Array *weight, Inputs *out)
{
    *out = (Inputs){0};
    Status status = op_contiguous(numbers, &out->numbers);
    if (status == OK)
        status = op_contiguous(target, &out->target);
    if (status == OK && weight)
        status = op_contiguous(weight, &out->weight);
    if (status != OK)
        inputs_release(out);
    return status;
}

static const void *weight_of(const Inputs *inputs)
{
    return inputs->weight.storage ? array_data(&inputs->weight) : NULL;
}

/* On the CPU: was there a target that is no class? */
static Status check_targets(const Array *target)
{
    int64_t at = kernel_failed_index();
    if (at < 0)
        return OK;
    long long wrong = (long long)((const int64_t *)array_data(target))[at];
    return status_fail(ERR_INDEX, "Target %lld is out of bounds.", wrong);
}

Status op_nll_loss(const Array *log_prob, const Array *target,
                   const LossRule *rule, Array *loss, Array *mass)
{
    Device device = array_device(log_prob);
    if (!NLL[log_prob->dtype])
        return status_fail(ERR_RUNTIME,
                           "\"nll_loss_out_frame\" not implemented for '%s'",
                           dtype_scalar_name(log_prob->dtype));
    int64_t n = log_prob->shape.dims[0];
    Inputs in;
    Array made_loss = {0}, made_mass = {0};
    TRY(inputs_make(log_prob, target, rule->weight, &in));
    Status status = array_new(log_prob->dtype, shape(n), device, &made_loss);
    if (status == OK)
        status = array_new(log_prob->dtype, shape(n), device, &made_mass);
    if (status == OK) {
        NllArgs args = {
            array_data(&in.numbers), array_data(&in.target), weight_of(&in),
            array_data(&made_loss),  array_data(&made_mass), n,
            log_prob->shape.dims[1], rule->ignored,          rule->smoothing};
        status = kernel_run(device, NLL[log_prob->dtype], &args, n);
    }
    if (status == OK)
        status = check_targets(&in.target);
    inputs_release(&in);
    if (status != OK) {
        array_release(&made_loss);
        array_release(&made_mass);
        return status;
    }
    *loss = made_loss;
    *mass = made_mass;
    return OK;
}

Status op_nll_loss_backward(const Array *grad, const Array *total,
                            const Array *target, const LossRule *rule,
                            int64_t n_classes, Array *out)
{
    Device device = array_device(grad);
    int64_t n = target->shape.dims[0];
    Inputs in;
    Array made = {0};
    TRY(inputs_make(grad, target, rule->weight, &in));
    Status status = array_new(grad->dtype, shape(n, n_classes), device, &made);
    if (status == OK) {
        NllBackwardArgs args = {array_data(&in.numbers),
                                total ? array_data(total) : NULL,
                                array_data(&in.target),
                                weight_of(&in),
                                array_data(&made),
                                n,
                                n_classes,
                                rule->ignored,
                                grad->shape.n_dims > 0,
                                rule->smoothing};
        status = kernel_run(device, NLL_BACKWARD[grad->dtype], &args, n);
    }
    inputs_release(&in);
    if (status != OK) {
        array_release(&made);
        return status;
    }
    *out = made;
    return OK;
}

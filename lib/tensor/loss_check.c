/* What a loss asks of its inputs. */
#include "tensor/loss_check.h"
#include "base/status.h" // defines: TRY, status_fail

bool targets_are_probabilities(const Tensor *input, const Tensor *target)
{
    return shape_equal(tensor_shape(input), tensor_shape(target)) &&
           dtype_is_floating(tensor_dtype(target));
}

static const char *kind_name(const Tensor *x)
{
    return tensor_is_cuda(x) ? "cuda" : "cpu";
}

/* The input's device is the one expected; the first argument elsewhere is
 * named. CPU against GPU is told by kind, GPU against GPU by ordinal. */
static Status check_place(const Tensor *input, const Tensor *x, int number,
                          const char *name)
{
    Device expected = tensor_device(input), got = tensor_device(x);
    if (device_equal(expected, got))
        return OK;
    if (expected.kind != got.kind)
        return status_fail(ERR_DEVICE,
                           "Expected object of device type %s but got device "
                           "type %s for argument #%d '%s' in call to "
                           "_thnn_nll_loss_forward",
                           kind_name(input), kind_name(x), number, name);
    return status_fail(ERR_DEVICE,
                       "expected device %s but got device %s for argument #%d "
                       "'%s' in call to _thnn_nll_loss_forward",
                       device_str(expected).text, device_str(got).text, number,
                       name);
}

static Status check_dtypes(const Tensor *input, const Tensor *target,
                           const Tensor *weight)
{
    if (tensor_dtype(target) != INT64)
        return status_fail(ERR_RUNTIME,
                           "expected scalar type Long but found %s",
                           dtype_scalar_name(tensor_dtype(target)));
    if (weight && tensor_dtype(weight) != tensor_dtype(input))
        return status_fail(ERR_RUNTIME, "expected scalar type %s but found %s",
                           dtype_scalar_name(tensor_dtype(input)),
                           dtype_scalar_name(tensor_dtype(weight)));
    return OK;
}

/* One weight a class. */
static Status check_weight(const Tensor *weight, int64_t n_classes,
                           const char *who)
{
    if (tensor_dim(weight) == 1 && tensor_numel(weight) == n_classes)
        return OK;
    return status_fail(ERR_RUNTIME,
                       "%sweight tensor should be defined either for all %lld "
                       "classes or no classes but got weight tensor of shape: "
                       "%s",
                       who, (long long)n_classes,
                       shape_list(tensor_shape(weight)).text);
}

static Status check_shapes(const Tensor *input, const Tensor *target,
                           const Tensor *weight)
{
    int n_dims = tensor_dim(input);
    if (n_dims != 1 && n_dims != 2)
        return status_fail(ERR_RUNTIME, "input tensor should be 1D or 2D");
    if (tensor_dim(target) > 1)
        return status_fail(ERR_RUNTIME, "0D or 1D target tensor expected, "
                                        "multi-target not supported");
    if (n_dims == 1 && tensor_dim(target) == 1)
        return status_fail(ERR_RUNTIME,
                           "size mismatch (got input: %s, target: %s)",
                           shape_list(tensor_shape(input)).text,
                           shape_list(tensor_shape(target)).text);
    int64_t n_targets = tensor_dim(target) == 1 ? tensor_numel(target) : 0;
    if (n_dims == 2 && n_targets != tensor_size(input, 0))
        return status_fail(ERR_VALUE,
                           "Expected input batch_size (%lld) to match target "
                           "batch_size (%lld).",
                           (long long)tensor_size(input, 0),
                           (long long)n_targets);
    return weight ? check_weight(weight, tensor_size(input, -1), "") : OK;
}

Status check_nll(const Tensor *input, const Tensor *target,
                 const Tensor *weight)
{
    TRY(check_place(input, target, 2, "target"));
    if (weight)
        TRY(check_place(input, weight, 3, "weight"));
    TRY(check_shapes(input, target, weight));
    return check_dtypes(input, target, weight);
}

Status check_cross_entropy(const Tensor *input, const Tensor *target,
                           const Tensor *weight, int64_t ignore_index,
                           double label_smoothing)
{
    if (!(label_smoothing >= 0 && label_smoothing <= 1))
        return status_fail(ERR_RUNTIME,
                           "label_smoothing must be between 0.0 and 1.0. Got: "
                           "%g",
                           label_smoothing);
    int n_dims = tensor_dim(input);
    if (n_dims != 1 && n_dims != 2)
        return status_fail(ERR_RUNTIME, "input tensor should be 1D or 2D");
    if (!shape_equal(tensor_shape(input), tensor_shape(target)))
        return OK; // check_nll asks the rest
    if (!dtype_is_floating(tensor_dtype(target)))
        return status_fail(ERR_RUNTIME,
                           "Expected floating point type for target with class "
                           "probabilities, got %s",
                           dtype_scalar_name(tensor_dtype(target)));
    if (ignore_index >= 0)
        return status_fail(ERR_RUNTIME, "ignore_index is not supported for "
                                        "floating point target");
    TRY(check_place(input, target, 2, "target"));
    if (!weight)
        return OK;
    TRY(check_place(input, weight, 3, "weight"));
    return check_weight(weight, tensor_size(input, -1), "cross_entropy: ");
}

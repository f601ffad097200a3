/* Batch normalisation: the layer whose buffers must move with it. */
#include "nn/layers.h"

#include "base/status.h"       // defines: status_fail
#include "tensor/create.h"     // defines: tensor_zeros, tensor_ones
#include "tensor/functional.h" // defines: tensor_mean_dim, tensor_mul, …
#include "tensor/tape.h"       // defines: no_grad_enter, tensor_detach

typedef struct BatchNormState {
    int64_t n_features;
    double eps;
    double momentum;
} BatchNormState;

/* running = (1 - momentum) * running + momentum * seen, in place: on a replica
 * the update is lost, on the main GPU it stays. */
static Status follow(Tensor *running, Tensor *seen, double momentum)
{
    Tensor *kept = tensor_mul_real_(running, 1 - momentum);
    return tensor_add_scaled_(kept, seen, momentum) ? OK : status_peek();
}

/* The unbiased variance feeds the running one, the biased one normalises. */
static Status update_running(Module *self, Tensor *mean, Tensor *variance,
                             int64_t n)
{
    const BatchNormState *state = module_state(self);
    Shape features = shape(state->n_features);
    bool recording = no_grad_enter();
    Tensor *unbiased = tensor_mul_real(variance, (double)n / (double)(n - 1));
    Status status = OK;
    if (n > 0) // of nothing there is no mean to follow
        status = follow(module_buffer(self, "running_mean"),
                        tensor_reshape(tensor_detach(mean), features),
                        state->momentum);
    if (status == OK && n > 0)
        status = follow(module_buffer(self, "running_var"),
                        tensor_reshape(tensor_detach(unbiased), features),
                        state->momentum);
    Tensor *count = module_buffer(self, "num_batches_tracked");
    if (status == OK && !tensor_add_int_(count, 1))
        status = status_peek();
    no_grad_leave(recording);
    return status;
}

/* input: (N, C) */
static Tensor *normalise(Module *self, Tensor *input)
{
    const BatchNormState *state = module_state(self);
    Tensor *mean = module_buffer(self, "running_mean");
    Tensor *variance = module_buffer(self, "running_var");
    Tensor *centred;
    if (module_is_training(self)) {
        mean = tensor_mean_dim(input, 0, true);
        centred = tensor_sub(input, mean);
        variance = tensor_mean_dim(tensor_mul(centred, centred), 0, true);
        if (!variance ||
            update_running(self, mean, variance, tensor_size(input, 0)) != OK)
            return NULL;
    } else {
        centred = tensor_sub(input, mean);
    }
    Tensor *deviation = tensor_sqrt(tensor_add_real(variance, state->eps));
    Tensor *normal = tensor_div(centred, deviation);
    return tensor_add(tensor_mul(normal, module_parameter(self, "weight")),
                      module_parameter(self, "bias"));
}

static Tensor *forward(Module *self, Tensor *input)
{
    const BatchNormState *state = module_state(self);
    int n_dims = tensor_dim(input);
    if (n_dims != 2 && n_dims != 3) {
        status_fail(ERR_VALUE, "expected 2D or 3D input (got %dD input)",
                    n_dims);
        return NULL;
    }
    if (tensor_size(input, 1) != state->n_features) {
        status_fail(
            ERR_RUNTIME, "running_mean should contain %lld elements not %lld",
            (long long)tensor_size(input, 1), (long long)state->n_features);
        return NULL;
    }
    int64_t n = tensor_size(input, 0);
    int64_t length = n_dims == 3 ? tensor_size(input, 2) : 1;
    if (module_is_training(self) && n * length == 1) {
        status_fail(ERR_VALUE,
                    "Expected more than 1 value per channel when training, "
                    "got input size %s",
                    shape_str(tensor_shape(input)).text);
        return NULL;
    }
    if (n_dims == 2)
        return normalise(self, input);
    /* (N, C, L): the channels last, all the rest are values of a channel. */
    Tensor *rows = tensor_reshape(tensor_transpose(input, 1, 2),
                                  shape(n * length, state->n_features));
    Tensor *normal = normalise(self, rows);
    return tensor_transpose(
        tensor_reshape(normal, shape(n, length, state->n_features)), 1, 2);
}

static void describe(const Module *self, Text *text)
{
    const BatchNormState *state = module_state(self);
    text_addf(text,
              "%lld, eps=1e-05, momentum=0.1, affine=True, "
              "track_running_stats=True",
              (long long)state->n_features);
}

static const ModuleType BATCH_NORM_1D = {.name = "BatchNorm1d",
                                         .forward = forward,
                                         .describe = describe,
                                         .state_bytes = sizeof(BatchNormState)};

Module *batch_norm_1d_new(int64_t n_features)
{
    Module *module = module_new(&BATCH_NORM_1D);
    if (!module)
        return NULL;
    *(BatchNormState *)module_state(module) =
        (BatchNormState){n_features, 1e-5, 0.1};
    Device born = default_device();
    Shape features = shape(n_features);
    module_add_parameter(module, "weight",
                         tensor_ones(FLOAT32, features, born));
    module_add_parameter(module, "bias", tensor_zeros(FLOAT32, features, born));
    module_add_buffer(module, "running_mean",
                      tensor_zeros(FLOAT32, features, born));
    module_add_buffer(module, "running_var",
                      tensor_ones(FLOAT32, features, born));
    module_add_buffer(module, "num_batches_tracked",
                      tensor_zeros(INT64, shape_scalar(), born));
    return status_peek() == OK ? module : NULL;
}

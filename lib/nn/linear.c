/* y = x W^T + b */
#include "nn/layers.h"

#include "base/status.h"       // defines: status_fail
#include "nn/init.h"           // defines: init_kaiming_uniform, init_uniform
#include "tensor/create.h"     // defines: tensor_empty
#include "tensor/functional.h" // defines: tensor_linear
#include <math.h>

typedef struct LinearState {
    int64_t in_features;
    int64_t out_features;
    bool has_bias;
} LinearState;

static Tensor *forward(Module *self, Tensor *input)
{
    return tensor_linear(input, module_parameter(self, "weight"),
                         module_parameter(self, "bias"));
}

static void describe(const Module *self, Text *text)
{
    const LinearState *state = module_state(self);
    text_addf(text, "in_features=%lld, out_features=%lld, bias=%s",
              (long long)state->in_features, (long long)state->out_features,
              state->has_bias ? "True" : "False");
}

static const ModuleType LINEAR = {.name = "Linear",
                                  .forward = forward,
                                  .describe = describe,
                                  .state_bytes = sizeof(LinearState)};

/* Weight first, then bias: the order of the draws is PyTorch's. */
static Status fill(Module *module, bool bias, DType dtype, Device device)
{
    LinearState *state = module_state(module);
    Tensor *weight = tensor_empty(
        dtype, shape(state->out_features, state->in_features), device);
    if (!weight)
        return status_peek();
    TRY(init_kaiming_uniform(weight, sqrt(5.0)));
    TRY(module_add_parameter(module, "weight", weight));
    if (!bias)
        return module_add_parameter(module, "bias", NULL);
    Tensor *b = tensor_empty(dtype, shape(state->out_features), device);
    if (!b)
        return status_peek();
    double fan_in = (double)state->in_features;
    TRY(init_uniform(b, fan_in > 0 ? 1 / sqrt(fan_in) : 0));
    return module_add_parameter(module, "bias", b);
}

Module *linear_new_on(int64_t in_features, int64_t out_features, bool bias,
                      DType dtype, Device device)
{
    Module *module = module_new(&LINEAR);
    if (!module)
        return NULL;
    *(LinearState *)module_state(module) =
        (LinearState){in_features, out_features, bias};
    return fill(module, bias, dtype, device) == OK ? module : NULL;
}

Module *linear_new(int64_t in_features, int64_t out_features)
{
    return linear_new_on(in_features, out_features, true, FLOAT32,
                         default_device());
}

Module *linear_new_without_bias(int64_t in_features, int64_t out_features)
{
    return linear_new_on(in_features, out_features, false, FLOAT32,
                         default_device());
}

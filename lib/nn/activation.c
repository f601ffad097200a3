/* Layers without parameters: activations, Flatten, Dropout. */
#include "nn/layers.h"

#include "base/status.h"       // defines: status_fail
#include "tensor/create.h"     // defines: tensor_empty, tensor_bernoulli_
#include "tensor/functional.h" // defines: tensor_relu, tensor_mul
#include <stdio.h>
#include <stdlib.h>

static Tensor *relu(Module *self, Tensor *input)
{
    (void)self;
    return tensor_relu(input);
}

static Tensor *hyperbolic_tangent(Module *self, Tensor *input)
{
    (void)self;
    return tensor_tanh(input);
}

static Tensor *sigmoid(Module *self, Tensor *input)
{
    (void)self;
    return tensor_sigmoid(input);
}

static Tensor *flatten(Module *self, Tensor *input)
{
    (void)self;
    if (tensor_dim(input) < 2) {
        status_fail(ERR_INDEX, "Dimension out of range (expected to be in "
                               "range of [-1, 0], but got 1)");
        return NULL;
    }
    Shape all = tensor_shape(input);
    int64_t columns = 1;
    for (int i = 1; i < all.n_dims; i++)
        columns *= all.dims[i];
    return tensor_reshape(input, shape(all.dims[0], columns));
}

static void describe_flatten(const Module *self, Text *text)
{
    (void)self;
    text_add(text, "start_dim=1, end_dim=-1");
}

typedef struct DropoutState {
    double p; // the share of numbers that become zero
} DropoutState;

/* While training, zero with probability p and scale the rest by 1 / (1 - p),
 * so that the expected value stays; otherwise the input itself. */
static Tensor *dropout(Module *self, Tensor *input)
{
    double p = ((DropoutState *)module_state(self))->p;
    if (!module_is_training(self) || p == 0)
        return input;
    Tensor *mask = tensor_empty(tensor_dtype(input), tensor_shape(input),
                                tensor_device(input));
    mask = tensor_bernoulli_(mask, 1 - p);
    if (p < 1)
        mask = tensor_div_real(mask, 1 - p);
    return tensor_mul(input, mask);
}

/* The shortest decimal that reads back as the same number. */
static void describe_dropout(const Module *self, Text *text)
{
    double p = ((DropoutState *)module_state(self))->p;
    char digits[32];
    for (int precision = 1; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, p);
        if (strtod(digits, NULL) == p)
            break;
    }
    text_addf(text, "p=%s, inplace=False", digits);
}

static const ModuleType RELU = {.name = "ReLU", .forward = relu};
static const ModuleType TANH = {.name = "Tanh", .forward = hyperbolic_tangent};
static const ModuleType SIGMOID = {.name = "Sigmoid", .forward = sigmoid};
static const ModuleType FLATTEN = {
    .name = "Flatten", .forward = flatten, .describe = describe_flatten};
static const ModuleType DROPOUT = {.name = "Dropout",
                                   .forward = dropout,
                                   .describe = describe_dropout,
                                   .state_bytes = sizeof(DropoutState)};

Module *relu_new(void)
{
    return module_new(&RELU);
}

Module *tanh_new(void)
{
    return module_new(&TANH);
}

Module *sigmoid_new(void)
{
    return module_new(&SIGMOID);
}

Module *flatten_new(void)
{
    return module_new(&FLATTEN);
}

Module *dropout_new(double p)
{
    if (!(p >= 0 && p <= 1)) {
        status_fail(ERR_VALUE,
                    "dropout probability has to be between 0 and 1, but got %g",
                    p);
        return NULL;
    }
    Module *module = module_new(&DROPOUT);
    if (module)
        ((DropoutState *)module_state(module))->p = p;
    return module;
}

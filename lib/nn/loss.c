/* Losses: modules that may have a buffer, and so a place. */
#include "nn/loss.h"

#include "base/status.h" // defines: status_fail, CHECK_NOT_NULL

typedef struct LossState {
    int64_t ignore_index;
    Reduction reduction;
    double label_smoothing;
} LossState;

static const ModuleType CROSS_ENTROPY_LOSS = {.name = "CrossEntropyLoss",
                                              .state_bytes = sizeof(LossState)};
static const ModuleType NLL_LOSS = {.name = "NLLLoss",
                                    .state_bytes = sizeof(LossState)};
static const ModuleType MSE_LOSS = {.name = "MSELoss",
                                    .state_bytes = sizeof(LossState)};

CrossEntropyOptions cross_entropy_defaults(void)
{
    return (CrossEntropyOptions){.ignore_index = -100,
                                 .reduction = REDUCTION_MEAN};
}

static Module *loss_new(const ModuleType *type, LossState state)
{
    Module *module = module_new(type);
    if (module)
        *(LossState *)module_state(module) = state;
    return module;
}

/* The weight is a buffer, also when there is none: its name is then registered
 * without a value, as PyTorch prints it. */
static Module *weighted_loss_new(const ModuleType *type, LossState state,
                                 Tensor *weight)
{
    Module *module = loss_new(type, state);
    if (!module || module_add_buffer(module, "weight", weight) != OK)
        return NULL;
    return module;
}

Module *cross_entropy_loss_new(CrossEntropyOptions options)
{
    LossState state = {options.ignore_index, options.reduction,
                       options.label_smoothing};
    return weighted_loss_new(&CROSS_ENTROPY_LOSS, state, options.weight);
}

Module *nll_loss_new(Tensor *weight)
{
    return weighted_loss_new(&NLL_LOSS, (LossState){.ignore_index = -100},
                             weight);
}

Module *mse_loss_new(void)
{
    return loss_new(&MSE_LOSS, (LossState){.ignore_index = -100});
}

Tensor *loss_forward(Module *criterion, Tensor *input, Tensor *target)
{
    if (!CHECK_NOT_NULL(criterion) || !CHECK_NOT_NULL(input) ||
        !CHECK_NOT_NULL(target))
        return NULL;
    const ModuleType *type = module_type(criterion);
    const LossState *state = module_state(criterion);
    Tensor *weight = module_buffer(criterion, "weight");
    if (type == &CROSS_ENTROPY_LOSS)
        return tensor_cross_entropy(input, target, weight, state->ignore_index,
                                    state->reduction, state->label_smoothing);
    if (type == &NLL_LOSS)
        return tensor_nll_loss(input, target, weight, state->ignore_index,
                               state->reduction);
    if (type == &MSE_LOSS)
        return tensor_mse_loss(input, target, state->reduction);
    status_fail(ERR_TYPE, "%s is not a loss: use module_forward(module, input)",
                type->name);
    return NULL;
}

/* Optimisers: one step from the gradients, without history. */
#include "nn/optim.h"

#include "base/alloc.h"        // defines: mem_new, mem_free
#include "base/status.h"       // defines: status_fail, TRY
#include "tensor/create.h"     // defines: tensor_zeros
#include "tensor/functional.h" // defines: tensor_add_scaled_, …
#include "tensor/scope.h"      // defines: scope_hold, tensor_retain
#include "tensor/tape.h"       // defines: tensor_grad, no_grad_enter
#include <math.h>

/* What an optimiser remembers of one parameter; NULL before its first step. */
typedef struct Slot {
    Tensor *parameter;
    Tensor *momentum; // SGD: velocity; Adam: mean of the gradients
    Tensor *square;   // Adam: mean of their squares
    int64_t n_steps;
} Slot;

struct Optimizer {
    bool is_adam;
    SgdOptions sgd;
    AdamOptions adam;
    int n_slots;
    Slot *slots;
};

static void release(void *object)
{
    Optimizer *optimizer = object;
    for (int i = 0; i < optimizer->n_slots; i++) {
        tensor_release(optimizer->slots[i].parameter);
        tensor_release(optimizer->slots[i].momentum);
        tensor_release(optimizer->slots[i].square);
    }
    mem_free(optimizer->slots);
    mem_free(optimizer);
}

static bool add_slot(void *context, const char *name, Tensor *x)
{
    (void)name;
    Optimizer *optimizer = context;
    optimizer->slots[optimizer->n_slots++].parameter = tensor_retain(x);
    return true;
}

static Optimizer *optimizer_new(const char *function, Module *module)
{
    if (!CHECK_NOT_NULL_OF(function, module))
        return NULL;
    int n = module_n_parameters(module);
    if (status_peek() != OK)
        return NULL; // an unfinished walk counts too few
    if (n == 0) {
        status_fail(ERR_VALUE, "optimizer got an empty parameter list");
        return NULL;
    }
    Optimizer *optimizer = mem_new(sizeof *optimizer);
    if (!optimizer)
        return NULL;
    optimizer->slots = mem_new((size_t)n * sizeof *optimizer->slots);
    if (optimizer->slots)
        module_each_parameter(module, add_slot, optimizer);
    if (status_peek() != OK || scope_hold(optimizer, release) != OK) {
        release(optimizer);
        return NULL;
    }
    return optimizer;
}

/* The first option that no optimiser can work with is named. */
static Status check(double value, bool good, const char *what)
{
    return good ? OK : status_fail(ERR_VALUE, "Invalid %s: %g", what, value);
}

static Status check_sgd(const SgdOptions *o)
{
    TRY(check(o->lr, o->lr >= 0, "learning rate"));
    TRY(check(o->momentum, o->momentum >= 0, "momentum value"));
    TRY(check(o->weight_decay, o->weight_decay >= 0, "weight_decay value"));
    if (o->nesterov && (o->momentum <= 0 || o->dampening != 0))
        return status_fail(ERR_VALUE, "Nesterov momentum requires a momentum "
                                      "and zero dampening");
    return OK;
}

Optimizer *sgd_new(Module *module, SgdOptions options)
{
    if (check_sgd(&options) != OK)
        return NULL;
    Optimizer *optimizer = optimizer_new(__func__, module);
    if (optimizer)
        optimizer->sgd = options;
    return optimizer;
}

static Status check_adam(const AdamOptions *o)
{
    TRY(check(o->lr, o->lr >= 0, "learning rate"));
    TRY(check(o->eps, o->eps >= 0, "epsilon value"));
    TRY(check(o->beta1, o->beta1 >= 0 && o->beta1 < 1,
              "beta parameter at index 0"));
    TRY(check(o->beta2, o->beta2 >= 0 && o->beta2 < 1,
              "beta parameter at index 1"));
    return check(o->weight_decay, o->weight_decay >= 0, "weight_decay value");
}

Optimizer *adam_new(Module *module, AdamOptions options)
{
    options.lr = options.lr == 0 ? 1e-3 : options.lr;
    options.beta1 = options.beta1 == 0 ? 0.9 : options.beta1;
    options.beta2 = options.beta2 == 0 ? 0.999 : options.beta2;
    options.eps = options.eps == 0 ? 1e-8 : options.eps;
    if (check_adam(&options) != OK)
        return NULL;
    Optimizer *optimizer = optimizer_new(__func__, module);
    if (optimizer) {
        optimizer->is_adam = true;
        optimizer->adam = options;
    }
    return optimizer;
}

/* An older failure that nobody has read yet is not this step's: it must not
 * leave a step half done. */
static Status done(const Tensor *changed)
{
    return changed ? OK : status_peek();
}

/* The gradient, or a copy with weight_decay * parameter added. */
static Tensor *decayed(const Slot *slot, double weight_decay)
{
    Tensor *grad = tensor_grad(slot->parameter);
    if (weight_decay == 0)
        return grad;
    return tensor_add_scaled_(tensor_clone(grad), slot->parameter,
                              weight_decay);
}

static Status sgd_step(Slot *slot, const SgdOptions *o)
{
    Tensor *step = decayed(slot, o->weight_decay);
    if (o->momentum != 0) {
        if (!slot->momentum) {
            Tensor *first = tensor_clone(step);
            slot->momentum = first ? tensor_retain(first) : NULL;
            TRY(done(slot->momentum));
        } else {
            TRY(done(tensor_add_scaled_(
                tensor_mul_real_(slot->momentum, o->momentum), step,
                1 - o->dampening)));
        }
        step = o->nesterov ? tensor_add_scaled_(tensor_clone(step),
                                                slot->momentum, o->momentum)
                           : slot->momentum;
    }
    return done(tensor_add_scaled_(slot->parameter, step, -o->lr));
}

/* A zero tensor like x, held by the optimiser. */
static Tensor *zeros_like(const Tensor *x)
{
    Tensor *zeros =
        tensor_zeros(tensor_dtype(x), tensor_shape(x), tensor_device(x));
    return zeros ? tensor_retain(zeros) : NULL;
}

static Status adam_step(Slot *slot, const AdamOptions *o)
{
    if (!slot->momentum && !(slot->momentum = zeros_like(slot->parameter)))
        return status_peek();
    if (!slot->square && !(slot->square = zeros_like(slot->parameter)))
        return status_peek();
    Tensor *grad = decayed(slot, o->weight_decay);
    double t = (double)++slot->n_steps;
    double correction1 = 1 - pow(o->beta1, t);
    double correction2 = 1 - pow(o->beta2, t);
    TRY(done(tensor_add_scaled_(tensor_mul_real_(slot->momentum, o->beta1),
                                grad, 1 - o->beta1)));
    TRY(done(tensor_add_scaled_(tensor_mul_real_(slot->square, o->beta2),
                                tensor_mul(grad, grad), 1 - o->beta2)));
    Tensor *root =
        tensor_div_real(tensor_sqrt(slot->square), sqrt(correction2));
    Tensor *step = tensor_div(slot->momentum, tensor_add_real(root, o->eps));
    return done(
        tensor_add_scaled_(slot->parameter, step, -(o->lr / correction1)));
}

/* Each parameter's intermediate tensors go before the next one's come. */
static Status step_all(Optimizer *optimizer)
{
    Status status = OK;
    for (int i = 0; status == OK && i < optimizer->n_slots; i++) {
        Slot *slot = &optimizer->slots[i];
        if (!tensor_grad(slot->parameter))
            continue;
        TRY(scope_open());
        status = optimizer->is_adam ? adam_step(slot, &optimizer->adam)
                                    : sgd_step(slot, &optimizer->sgd);
        scope_close();
    }
    return status;
}

Status optimizer_step(Optimizer *optimizer)
{
    if (!CHECK_NOT_NULL(optimizer))
        return status_peek();
    bool recording = no_grad_enter();
    Status status = step_all(optimizer);
    no_grad_leave(recording);
    return status;
}

void optimizer_zero_grad(Optimizer *optimizer)
{
    if (!CHECK_NOT_NULL(optimizer))
        return;
    bool recording = no_grad_enter();
    for (int i = 0; i < optimizer->n_slots; i++) {
        Tensor *grad = tensor_grad(optimizer->slots[i].parameter);
        if (grad)
            tensor_zero_(grad);
    }
    no_grad_leave(recording);
}

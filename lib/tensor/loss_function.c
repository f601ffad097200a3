/* The losses as functions, forward and backward side by side. */
#include "tensor/loss_function.h"
#include "base/warn.h"         // defines: warn
#include "ops/loss.h"          // defines: op_nll_loss
#include "ops/reduce.h"        // defines: op_sum
#include "ops/softmax.h"       // defines: op_softmax
#include "tensor/backward.h"   // defines: made
#include "tensor/functional.h" // defines: tensor_mul, tensor_sum
#include "tensor/loss_check.h" // defines: check_nll, check_cross_entropy
#include "tensor/object.h"     // defines: finish, Step
#include "tensor/tape.h"       // defines: no_grad_enter, tensor_detach

/* ---- softmax ------------------------------------------------------------- */

typedef Status (*SoftmaxBackward)(const Array *, const Array *, int, Array *);

static Status through(SoftmaxBackward op, const Node *node, Tensor *gradient,
                      Tensor **out)
{
    int dim = *(const int *)node_constants(node);
    Array array = {0};
    Status status =
        op(&gradient->array, &node_saved(node, 0)->array, dim, &array);
    return made(*out = finish(status, &array, NULL));
}

static Status softmax_backward(const Node *node, Tensor *const *grads_out,
                               Tensor **grads_in)
{
    return through(op_softmax_backward, node, grads_out[0], grads_in);
}

static Status log_softmax_backward(const Node *node, Tensor *const *grads_out,
                                   Tensor **grads_in)
{
    return through(op_log_softmax_backward, node, grads_out[0], grads_in);
}

static Tensor *softmax(const char *function,
                       Status (*op)(const Array *, int, Array *),
                       const NodeType *type, Tensor *x, int dim)
{
    if (!CHECK_NOT_NULL_OF(function, x))
        return NULL;
    Array out = {0};
    return finish(op(&x->array, dim, &out), &out,
                  &(Step){.type = type,
                          .inputs = {x},
                          .n_inputs = 1,
                          .saves_result = true,
                          .numbers = &dim,
                          .n_bytes = sizeof dim});
}

Tensor *tensor_softmax(Tensor *x, int dim)
{
    static const NodeType type = {"SoftmaxBackward", softmax_backward};
    return softmax(__func__, op_softmax, &type, x, dim);
}

Tensor *tensor_log_softmax(Tensor *x, int dim)
{
    static const NodeType type = {"LogSoftmaxBackward", log_softmax_backward};
    return softmax(__func__, op_log_softmax, &type, x, dim);
}

/* ---- negative log likelihood --------------------------------------------- */

/* What backward must know besides what was saved: target, weight, total. */
typedef struct NllNumbers {
    int64_t n_classes;
    int64_t ignored;
    double smoothing;
    bool has_weight;
    bool has_total; // the mean divides by it
    bool one_row;   // the input was (C)
} NllNumbers;

static Status nll_backward(const Node *node, Tensor *const *grads_out,
                           Tensor **grads_in)
{
    const NllNumbers *numbers = node_constants(node);
    Tensor *target = node_saved(node, 0);
    int next = 1;
    const Array *weight =
        numbers->has_weight ? &node_saved(node, next++)->array : NULL;
    const Array *total =
        numbers->has_total ? &node_saved(node, next)->array : NULL;
    LossRule rule = {weight, numbers->ignored, numbers->smoothing};
    Array out = {0};
    Status status =
        op_nll_loss_backward(&grads_out[0]->array, total, &target->array, &rule,
                             numbers->n_classes, &out);
    Tensor *gradient = finish(status, &out, NULL);
    if (numbers->one_row && gradient)
        gradient = tensor_reshape(gradient, shape(numbers->n_classes));
    return made(grads_in[0] = gradient);
}

/* The samples' losses to what the reduction asks for, without history. */
static Tensor *reduced(Tensor *loss, Tensor *total, Reduction reduction)
{
    if (reduction == REDUCTION_NONE)
        return loss;
    Tensor *sum = tensor_sum(loss);
    return reduction == REDUCTION_MEAN ? tensor_div(sum, total) : sum;
}

/* (C) and () are one row of a batch. */
static Tensor *as_row(Tensor *x, int n_dims)
{
    return tensor_dim(x) == n_dims ? x : tensor_unsqueeze(x, 0);
}

static Tensor *nll(Tensor *log_prob, Tensor *target, Tensor *weight,
                   const LossRule *rule, Reduction reduction)
{
    bool one_row = tensor_dim(log_prob) == 1;
    bool recording = no_grad_enter();
    Tensor *rows = as_row(log_prob, 2), *classes = as_row(target, 1);
    Array loss = {0}, mass = {0};
    Tensor *total = NULL, *result = NULL;
    if (rows && classes &&
        op_nll_loss(&rows->array, &classes->array, rule, &loss, &mass) == OK) {
        Tensor *losses = finish(OK, &loss, NULL);
        Tensor *masses = finish(OK, &mass, NULL);
        if (losses && masses && reduction == REDUCTION_MEAN)
            total = tensor_sum(masses);
        if (losses && masses)
            result = reduced(losses, total, reduction);
        if (result && one_row && reduction == REDUCTION_NONE)
            result = tensor_reshape(result, shape_scalar());
    }
    no_grad_leave(recording);
    if (!result)
        return NULL;
    NllNumbers numbers = {
        rows->array.shape.dims[1],
        rule->ignored,
        rule->smoothing,
        weight != NULL,
        total != NULL,
        one_row,
    };
    Tensor *saved[3] = {classes};
    int n_saved = 1;
    if (weight)
        saved[n_saved++] = weight;
    if (total)
        saved[n_saved++] = total;
    static const NodeType type = {"NllLossBackward", nll_backward};
    if (node_record(&type, &log_prob, 1, &result, 1, saved, n_saved, &numbers,
                    sizeof numbers) != OK)
        return NULL;
    return result;
}

Tensor *tensor_nll_loss(Tensor *input, Tensor *target, Tensor *weight,
                        int64_t ignore_index, Reduction reduction)
{
    if (!CHECK_NOT_NULL(input) || !CHECK_NOT_NULL(target) ||
        check_nll(input, target, weight) != OK)
        return NULL;
    LossRule rule = {weight ? &weight->array : NULL, ignore_index, 0};
    return nll(input, target, weight, &rule, reduction);
}

/* ---- cross entropy ------------------------------------------------------- */

/* Targets that are probabilities: y = p (1 - s) + s / C; the mean divides by
 * the number of samples, whatever the weights. */
static Tensor *from_probabilities(Tensor *log_prob, Tensor *p, Tensor *weight,
                                  Reduction reduction, double smoothing)
{
    int class_dim = tensor_dim(log_prob) - 1;
    double n_classes = (double)tensor_size(log_prob, class_dim);
    if (smoothing > 0)
        p = tensor_add_real(tensor_mul_real(p, 1 - smoothing),
                            smoothing / n_classes);
    Tensor *terms = tensor_mul(log_prob, p);
    if (weight)
        terms = tensor_mul(terms, weight);
    Tensor *losses = tensor_neg(tensor_sum_dim(terms, class_dim, false));
    if (reduction == REDUCTION_NONE)
        return losses;
    Tensor *sum = tensor_sum(losses);
    if (reduction == REDUCTION_SUM)
        return sum;
    double n = class_dim ? (double)tensor_size(log_prob, 0) : 1;
    return tensor_div_real(sum, n);
}

Tensor *tensor_cross_entropy(Tensor *input, Tensor *target, Tensor *weight,
                             int64_t ignore_index, Reduction reduction,
                             double label_smoothing)
{
    if (!CHECK_NOT_NULL(input) || !CHECK_NOT_NULL(target) ||
        check_cross_entropy(input, target, weight, ignore_index,
                            label_smoothing) != OK)
        return NULL;
    Tensor *log_prob = tensor_log_softmax(input, -1);
    if (!log_prob)
        return NULL;
    if (targets_are_probabilities(input, target))
        return from_probabilities(log_prob, target, weight, reduction,
                                  label_smoothing);
    if (check_nll(log_prob, target, weight) != OK)
        return NULL;
    LossRule rule = {weight ? &weight->array : NULL, ignore_index,
                     label_smoothing};
    return nll(log_prob, target, weight, &rule, reduction);
}

/* ---- mean squared error -------------------------------------------------- */

/* d mean((x - t)^2) = 2 (x - t) / n dx; the constant is 2, or 2 / n. */
static Status mse_backward(const Node *node, Tensor *const *grads_out,
                           Tensor **grads_in)
{
    double factor = *(const double *)node_constants(node);
    Tensor *slope =
        tensor_mul(tensor_mul_real(node_saved(node, 0), factor), grads_out[0]);
    TRY(made(slope));
    if (node_needs(node, 0))
        grads_in[0] = slope;
    return node_needs(node, 1) ? made(grads_in[1] = tensor_neg(slope)) : OK;
}

Tensor *tensor_mse_loss(Tensor *input, Tensor *target, Reduction reduction)
{
    if (!CHECK_NOT_NULL(input) || !CHECK_NOT_NULL(target))
        return NULL;
    if (!shape_equal(tensor_shape(input), tensor_shape(target)))
        warn("Using a target size (%s) that is different to the input size "
             "(%s). This will likely lead to incorrect results due to "
             "broadcasting. Please ensure they have the same size.",
             shape_str(tensor_shape(target)).text,
             shape_str(tensor_shape(input)).text);
    bool recording = no_grad_enter();
    Tensor *difference = tensor_sub(input, target);
    Tensor *result = difference ? tensor_mul(difference, difference) : NULL;
    if (result && reduction != REDUCTION_NONE)
        result = reduction == REDUCTION_MEAN ? tensor_mean(result)
                                             : tensor_sum(result);
    no_grad_leave(recording);
    if (!result)
        return NULL;
    double n =
        reduction == REDUCTION_MEAN ? (double)tensor_numel(difference) : 1;
    double factor = 2 / n;
    static const NodeType type = {"MseLossBackward", mse_backward};
    Tensor *inputs[2] = {input, target};
    return node_record(&type, inputs, 2, &result, 1, &difference, 1, &factor,
                       sizeof factor) == OK
               ? result
               : NULL;
}

/* Negative log likelihood: one number a sample, and the gradient for its
 * scores.
 *
 *   loss[i] = -(1 - s) w[t] lp[i, t]  -  s / C * sum over c of w[c] lp[i, c]
 *
 * t = target[i], s the label smoothing, w all 1 without weights; a sample whose
 * target is `ignored` counts for nothing. mass[i] is w[t], or 0 if ignored: a
 * mean divides by its sum.
 *
 * place   all on one device, where the results live too
 * owner   out, loss and mass are the caller's: array_release; untouched after a
 *         failure
 * source  PyTorch 1.13, torch.nn.functional.cross_entropy
 */
#ifndef OPS_LOSS_H
#define OPS_LOSS_H

#include "array/array.h" // defines: Array

/* How samples are counted; weight (C) may be NULL. */
typedef struct LossRule {
    const Array *weight;
    int64_t ignored;
    double smoothing;
} LossRule;

/* log_prob (N, C), target int64 (N).
 * errors  ERR_INDEX "Target 2 is out of bounds." on the CPU; on a GPU a
 *         device-side assert, reported at a later call, sticky; ERR_RUNTIME
 *         "\"nll_loss_out_frame\" not implemented for 'Long'"; ERR_MEMORY */
API Status op_nll_loss(const Array *log_prob, const Array *target,
                       const LossRule *rule, Array *loss, Array *mass);
/* grad: (N), one a sample; or () for all, divided by total () unless that is
 * NULL. out: (N, C). errors  ERR_MEMORY, ERR_CUDA */
API Status op_nll_loss_backward(const Array *grad, const Array *total,
                                const Array *target, const LossRule *rule,
                                int64_t n_classes, Array *out);

#endif

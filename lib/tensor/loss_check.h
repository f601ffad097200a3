/* What a loss asks of its inputs, in PyTorch's words and order. Internal to
 * this room.
 *
 * source  PyTorch 1.13, torch.nn.functional; 1.3 for the sentences on devices
 */
#ifndef TENSOR_LOSS_CHECK_H
#define TENSOR_LOSS_CHECK_H

#include "tensor/tensor.h" // defines: Tensor

/* Same shape and floating: probabilities; else class indices. */
bool targets_are_probabilities(const Tensor *input, const Tensor *target);

/* Devices, dtypes, shapes. errors  see tensor/loss_function.h */
Status check_nll(const Tensor *input, const Tensor *target,
                 const Tensor *weight);
/* Smoothing, batch sizes; devices for probabilities. */
Status check_cross_entropy(const Tensor *input, const Tensor *target,
                           const Tensor *weight, int64_t ignore_index,
                           double label_smoothing);

#endif

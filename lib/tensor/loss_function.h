/* The losses as functions: forward and backward.
 *
 * All: the result lives where the input lives; owner the current scope; NULL
 * after a failure.
 * source  PyTorch 1.13, torch.nn.functional
 */
#ifndef TENSOR_LOSS_FUNCTION_H
#define TENSOR_LOSS_FUNCTION_H

#include "tensor/tensor.h" // defines: Tensor

typedef enum Reduction {
    REDUCTION_MEAN,
    REDUCTION_SUM,
    REDUCTION_NONE
} Reduction;

API Tensor *tensor_softmax(Tensor *x, int dim);
API Tensor *tensor_log_softmax(Tensor *x, int dim);

/* Input (N, C) of log-probabilities and target INT64 (N); or (C) and ().
 *
 * errors  ERR_DEVICE  "Expected object of device type cuda but got device type
 *         cpu for argument #3 'weight' in call to _thnn_nll_loss_forward"
 *         ERR_INDEX   "Target 2 is out of bounds." (CPU); on a GPU a
 *         device-side assert, reported later
 *         ERR_RUNTIME dtypes and shapes, in PyTorch's words */
API Tensor *tensor_nll_loss(Tensor *input, Tensor *target, Tensor *weight,
                            int64_t ignore_index, Reduction reduction);
/* log_softmax and nll_loss, or probabilities; label smoothing 0 … 1. */
API Tensor *tensor_cross_entropy(Tensor *input, Tensor *target, Tensor *weight,
                                 int64_t ignore_index, Reduction reduction,
                                 double label_smoothing);
API Tensor *tensor_mse_loss(Tensor *input, Tensor *target, Reduction reduction);

#endif

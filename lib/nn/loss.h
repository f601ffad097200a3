/* Losses. A loss with weights has a buffer, and so a place (lesson 05).
 *
 * All: owner the current scope; NULL after a failure.
 * source  PyTorch 1.13, torch.nn.CrossEntropyLoss and others
 */
#ifndef NN_LOSS_H
#define NN_LOSS_H

#include "nn/module.h"            // defines: Module
#include "tensor/loss_function.h" // defines: Reduction

typedef struct CrossEntropyOptions {
    Tensor *weight;         // one number a class, or NULL; the loss holds it
    int64_t ignore_index;   // -100 by default
    Reduction reduction;    // REDUCTION_MEAN by default
    double label_smoothing; // 0 … 1
} CrossEntropyOptions;

API CrossEntropyOptions cross_entropy_defaults(void);
/* Options are looked at when the loss is called, as in PyTorch. */
API Module *cross_entropy_loss_new(CrossEntropyOptions options);
API Module *nll_loss_new(Tensor *weight);
API Module *mse_loss_new(void);

/* criterion(input, target). Target: INT64 class indices (N), or probabilities
 * of the input's shape.
 * errors  PyTorch's sentences; see tensor/loss_function.h */
API Tensor *loss_forward(Module *criterion, Tensor *input, Tensor *target);

#endif

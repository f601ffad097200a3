/* Optimisers: they hold the parameters themselves, and so survive a move.
 *
 * source  PyTorch 1.13, torch.optim.SGD and Adam
 */
#ifndef NN_OPTIM_H
#define NN_OPTIM_H

#include "nn/module.h" // defines: Module

typedef struct Optimizer Optimizer;

typedef struct SgdOptions {
    double lr;
    double momentum;     // 0: none
    double dampening;    // 0
    double weight_decay; // 0
    bool nesterov;
} SgdOptions;

typedef struct AdamOptions {
    double lr;                              // 0 stands for the default, 1e-3
    double beta1, beta2, eps, weight_decay; // 0: 0.9, 0.999, 1e-8, 0
} AdamOptions;

/* owner   the current scope
 * errors  ERR_VALUE "Invalid learning rate: -1", "optimizer got an empty
 *         parameter list" */
API Optimizer *sgd_new(Module *module, SgdOptions options);
API Optimizer *adam_new(Module *module, AdamOptions options);

/* One step from the gradients; parameters without one are left alone. Records
 * no history. errors  those of the ops on the parameters */
API Status optimizer_step(Optimizer *optimizer);
API void optimizer_zero_grad(Optimizer *optimizer);

#endif

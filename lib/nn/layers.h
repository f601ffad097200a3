/* The layers: each call makes one, on the CPU in float32.
 *
 * All: owner the current scope; NULL after a failure.
 * source  PyTorch 1.13, torch.nn
 */
#ifndef NN_LAYERS_H
#define NN_LAYERS_H

#include "nn/module.h" // defines: Module

/* y = x W^T + b. Weight (out, in), bias (out): drawn from the CPU's generator,
 * weight first, the same bits as PyTorch's for the same seed. */
API Module *linear_new(int64_t in_features, int64_t out_features);
API Module *linear_new_without_bias(int64_t in_features, int64_t out_features);
/* Born elsewhere: the draws then come from that device's generator. */
API Module *linear_new_on(int64_t in_features, int64_t out_features, bool bias,
                          DType dtype, Device device);

API Module *relu_new(void);
API Module *tanh_new(void);
API Module *sigmoid_new(void);
/* All dims from 1 on become one. errors  ERR_INDEX fewer than two dims */
API Module *flatten_new(void);
/* errors  ERR_VALUE "dropout probability has to be between 0 and 1, …" */
API Module *dropout_new(double p);
/* Input (N, C); buffers running_mean, running_var, num_batches_tracked. */
API Module *batch_norm_1d_new(int64_t n_features);

/* An empty Sequential; modules are added one call at a time, because C does not
 * say in which order it evaluates a call's arguments, and each Linear draws
 * from the generator when it is made. */
API Module *sequential_new(void);
/* Append a child, named by its index: "0", "1", … Returns the sequential. */
API Module *sequential_add(Module *sequential, Module *child);

#endif

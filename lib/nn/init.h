/* How parameters begin.
 *
 * source  PyTorch 1.13, torch.nn.init
 */
#ifndef NN_INIT_H
#define NN_INIT_H

#include "tensor/tensor.h" // defines: Tensor

/* Uniform in (-bound, bound), bound = sqrt(3) * gain(a) / sqrt(fan_in), from
 * the generator of x's device. fan_in is the size of dim 1; 0 leaves x alone.
 * errors  what tensor_uniform_ says */
API Status init_kaiming_uniform(Tensor *x, double a);
/* Uniform in (-bound, bound). */
API Status init_uniform(Tensor *x, double bound);

#endif

/* Scores to probabilities along a dim, in float32 (float64 for float64).
 *
 * place   the result lives where the input lives
 * owner   out is the caller's: array_release; untouched after a failure
 * errors  ERR_INDEX "Dimension out of range …"; ERR_RUNTIME
 *         "\"softmax_lastdim_kernel_impl\" not implemented for 'Long'"
 * source  PyTorch 1.13, torch.softmax, torch.log_softmax
 */
#ifndef OPS_SOFTMAX_H
#define OPS_SOFTMAX_H

#include "array/array.h" // defines: Array

API Status op_softmax(const Array *x, int dim, Array *out);
API Status op_log_softmax(const Array *x, int dim, Array *out);
/* The gradient for x: grad is what came back, y what went out before. */
API Status op_softmax_backward(const Array *grad, const Array *y, int dim,
                               Array *out);
API Status op_log_softmax_backward(const Array *grad, const Array *y, int dim,
                                   Array *out);

#endif

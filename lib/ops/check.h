/* What every op asks of its inputs, and the sentence when they are refused.
 *
 * All return OK or the failure; outputs are untouched after a failure.
 * source  PyTorch 1.13 (shapes, dtypes) and 1.3 (devices)
 */
#ifndef OPS_CHECK_H
#define OPS_CHECK_H

#include "array/array.h"  // defines: Array
#include "array/scalar.h" // defines: Scalar

/* Where an op on these arrays happens. The expected device is that of the first
 * array with dimensions (else of the first); 0-dimensional CPU arrays may join
 * GPU arrays.
 * errors  ERR_DEVICE "expected device cuda:7 but got device cpu" */
API Status check_devices(const Array *const *arrays, int n, Device *out);
/* The same, and no exception for 0-dimensional arrays. */
API Status check_same_device(const Array *a, const Array *b);

/* The common shape. errors  ERR_RUNTIME "The size of tensor a (3) must match
 * the size of tensor b (4) at non-singleton dimension 1" */
API Status check_broadcast(Shape a, Shape b, Shape *out);

/* Does `from` broadcast to `to`, which stays as it is?
 * errors  also ERR_RUNTIME "output with shape [2] doesn't match the broadcast
 *         shape [2, 2]" */
API Status check_broadcast_into(Shape to, Shape from);

/* The dtype of a op b; a Scalar's when there is one. Cannot fail. */
API DType check_result_dtype(const Array *a, const Array *b);
API DType check_result_dtype_scalar(const Array *a, Scalar b);

#endif

/* Arrays out of nothing.
 *
 * place   device; a plain 'cuda' is the current GPU
 * owner   out is the caller's: array_release; untouched after a failure
 * errors  ERR_RUNTIME a negative size; ERR_CUDA no such device; ERR_MEMORY
 * source  PyTorch 1.13, Creation Ops
 */
#ifndef OPS_CREATE_H
#define OPS_CREATE_H

#include "array/array.h"  // defines: Array
#include "array/scalar.h" // defines: Scalar

/* From host data in C order; the data is copied. */
API Status op_from_host(DType dtype, Shape shape, const void *data,
                        Device device, Array *out);
API Status op_zeros(DType dtype, Shape shape, Device device, Array *out);
/* Every number is `value`, converted to dtype. */
API Status op_full(DType dtype, Shape shape, Scalar value, Device device,
                   Array *out);
/* start, start + step, … below end (above it when step < 0).
 * errors  ERR_RUNTIME "step must be nonzero"; "upper bound and larger bound
 *         inconsistent with step sign" */
API Status op_arange(DType dtype, Scalar start, Scalar end, Scalar step,
                     Device device, Array *out);

#endif

/* Printing exactly as PyTorch prints.
 *
 * source  PyTorch 1.13, torch/_tensor_str.py (behaviour), checked by fuzzing
 */
#ifndef TENSOR_FORMAT_H
#define TENSOR_FORMAT_H

#include "tensor/tensor.h" // defines: Tensor

/* "tensor([1, 2, 3], device='cuda:7')". Copies made to print are kept apart in
 * the ledger. owner: the caller, mem_free. NULL after a failure. */
API char *tensor_repr(const Tensor *x);
/* NumPy's print form "[1. 1. 1.]" of a host array. owner: the caller. */
API char *numpy_str(DType dtype, Shape shape, const void *data);

#endif

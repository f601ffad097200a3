/* The same numbers elsewhere: another place, dtype, order or selection.
 *
 * owner   out is the caller's: array_release; untouched after a failure
 * errors  ERR_CUDA no such device, an earlier fault; ERR_MEMORY
 * source  PyTorch 1.13, Tensor.to, torch.cat, torch.index_select
 */
#ifndef OPS_COPY_H
#define OPS_COPY_H

#include "array/array.h" // defines: Array

/* A new array on `device`, always a copy, in C order. One transfer of
 * array_bytes(a) when the places differ; the host waits for it unless both are
 * GPUs. */
API Status op_to(const Array *a, Device device, Array *out);
/* The same, and the host goes on at once where CUDA lets it: to a GPU from
 * pinned memory; from a GPU always, and then `out` is pinned and tells nothing
 * before the GPU's current stream has been waited for. */
API Status op_to_async(const Array *a, Device device, Array *out);
/* A new array with the same numbers in pinned host memory; a lies on the CPU.
 * errors  also ERR_CUDA when there is no GPU */
API Status op_pin(const Array *a, Array *out);
/* A new array with the same numbers in C order, always a copy. */
API Status op_clone(const Array *a, Array *out);
/* a itself, shared, when it is in C order; a clone otherwise. */
API Status op_contiguous(const Array *a, Array *out);
/* A new array of another dtype, as C converts, with PyTorch's edges: halves
 * round to even, integers wrap, anything not zero is true. */
API Status op_cast(const Array *a, DType dtype, Array *out);

/* to's numbers become from's, converted, broadcast and moved as needed.
 * errors  ERR_RUNTIME "output with shape [2] doesn't match the broadcast shape
 *         [2, 2]"; "The size of tensor a (4) must match the size of tensor b
 *         (5) at non-singleton dimension 1" */
API Status op_copy_into(Array *to, const Array *from);

/* Another shape: a view where the strides allow, else a copy. One dim may be
 * -1. errors  ERR_RUNTIME "shape '[4]' is invalid for input of size 6" */
API Status op_reshape(const Array *a, Shape shape, Array *out);

/* One behind another along a dim; dtypes promote.
 * errors  ERR_RUNTIME "Sizes of tensors must match except in dimension 0.
 *         Expected size 3 but got size 4 for tensor number 1 in the list.";
 *         ERR_DEVICE "expected device cuda:0 but got device cpu" */
API Status op_cat(const Array *const *arrays, int n, int dim, Array *out);

/* Slices of a by int32 or int64 index along a dim; index has one dimension.
 * errors  ERR_INDEX "index out of range in self" on the CPU; on a GPU a
 *         device-side assert, reported at a later call, sticky; of a single
 *         number "index_select(): Index to scalar can have only 1 value, got 2
 *         value(s)"; ERR_DEVICE */
API Status op_index_select(const Array *a, int dim, const Array *index,
                           Array *out);

/* Copy all numbers to host memory in C order, in a's own dtype. */
API Status op_read(const Array *a, void *out);
/* The same, converted to double; out has room for array_count(a). */
API Status op_read_doubles(const Array *a, double *out);

#endif

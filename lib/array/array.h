/* Numbers with a shape, a dtype and a place: a window on a storage.
 *
 *   number at (i, j) = storage[offset + i*strides[0] + j*strides[1]]
 *
 * An Array is a value that holds one count of its storage. Whoever is given
 * one (`out`) releases it with array_release. A function that fails leaves
 * `out` untouched. Views share the storage: what one writes the other sees.
 */
#ifndef ARRAY_ARRAY_H
#define ARRAY_ARRAY_H

#include "array/dtype.h"     // defines: DType
#include "array/shape.h"     // defines: Shape, MAX_DIMS
#include "base/attributes.h" // defines: API
#include "base/status.h"     // defines: Status
#include "device/device.h"   // defines: Device
#include "device/storage.h"  // defines: Storage
#include <stdbool.h>
#include <stdint.h>

/* offset and strides are in numbers, not in bytes. A stride may be 0 (one
 * number seen many times), never negative. {0} holds nothing. */
typedef struct Array {
    Storage *storage;
    int64_t offset;
    Shape shape;
    int64_t strides[MAX_DIMS];
    DType dtype;
} Array;

/* New numbers in C order, uninitialised.
 *
 * place   device; a plain 'cuda' is the current GPU
 * errors  ERR_RUNTIME "Trying to create tensor with negative dimension -1:
 *         [-1]"; ERR_CUDA no such device; ERR_MEMORY */
API Status array_new(DType dtype, Shape shape, Device device, Array *out);

/* The same in pinned host memory. errors  also ERR_CUDA when there is no GPU */
API Status array_new_pinned(DType dtype, Shape shape, Array *out);

/* A window in C order on a storage, from its number `offset` on. Takes over the
 * caller's count of the storage, unless it fails.
 * errors  ERR_RUNTIME: it does not fit */
API Status array_over(Storage *storage, int64_t offset, DType dtype,
                      Shape shape, Array *out);

/* The same window once more: one more count. Cannot fail. */
API Array array_share(const Array *a);
/* One count less; *a is {0} again. {0} is fine. */
API void array_release(Array *a);

API Device array_device(const Array *a);
API int64_t array_count(const Array *a);      // how many numbers
API size_t array_bytes(const Array *a);       // count * bytes of one number
API bool array_is_contiguous(const Array *a); // in C order without gaps
/* Where the first number lies: a host or a device address. Lent. */
API void *array_data(const Array *a);
/* Do two arrays look at one storage? */
API bool array_shares(const Array *a, const Array *b);

/* Views. All share a's storage and hold a count of it; dims may be negative,
 * counted from the end.
 *
 * errors  ERR_INDEX "Dimension out of range (expected to be in range of [-2,
 *         1], but got 5)"; out untouched
 * source  PyTorch 1.13, Tensor views */

/* Two dimensions change places. */
API Status array_transpose(const Array *a, int dim0, int dim1, Array *out);
/* Numbers start … end-1 along dim; bounds are clamped as Python's are. */
API Status array_slice(const Array *a, int dim, int64_t start, int64_t end,
                       Array *out);
/* One index of dim, which goes away.
 * errors  ERR_INDEX "index 5 is out of bounds for dimension 0 with size 2" */
API Status array_select(const Array *a, int dim, int64_t index, Array *out);
/* A dimension of size 1 more (dim up to n_dims) or less (size 1 only, else
 * the view is as a is). */
API Status array_unsqueeze(const Array *a, int dim, Array *out);
API Status array_squeeze(const Array *a, int dim, Array *out);
/* Sizes 1 seen many times; new dimensions come in front; -1 keeps a size.
 * errors  ERR_RUNTIME "The expanded size of the tensor (4) must match the
 *         existing size (5) at non-singleton dimension 1.  Target sizes: …" */
API Status array_expand(const Array *a, Shape shape, Array *out);
/* Another shape over the same numbers; one dim may be -1. *possible tells
 * whether the strides allow it (else out is untouched and op_reshape copies).
 * errors  ERR_RUNTIME "shape '[4]' is invalid for input of size 6" */
API Status array_view(const Array *a, Shape shape, bool *possible, Array *out);

#endif

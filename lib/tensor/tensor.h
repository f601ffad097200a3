/* A tensor: an array that remembers how it was made.
 *
 * Counted. The scope that was open when a tensor was made holds one count
 * (tensor/scope.h); you need not free anything. An expression returns its
 * tensor, or NULL after a failure; NULL handed on after a failure passes
 * through, so one check at the end of an expression is enough.
 *
 * Threads: any may make, read and count tensors at once, the same one too;
 * scopes, recording and failures are each thread's own. Whoever changes a
 * tensor (in place, its gradient, its data, by backward through it) does so
 * while no other thread uses it.
 */
#ifndef TENSOR_TENSOR_H
#define TENSOR_TENSOR_H

#include "array/dtype.h"     // defines: DType
#include "array/shape.h"     // defines: Shape, shape
#include "base/attributes.h" // defines: API, NODISCARD
#include "base/status.h"     // defines: Status
#include "device/device.h"   // defines: Device
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Tensor Tensor;

/* A tensor from host data in C order: int64_t for INT64, float for FLOAT32,
 * bool for BOOL, uint16_t bits for the halves, and so on.
 * place   a copy of the data on `device`
 * errors  ERR_CUDA, ERR_MEMORY */
API Tensor *tensor_new(DType dtype, Shape shape, const void *data,
                       Device device);

/* A view over the caller's host array: shared memory, both ways.
 * owner   the array stays the caller's and must outlive the tensor */
API Tensor *tensor_from_host(DType dtype, Shape shape, void *data);

/* The same over GPU memory that the caller has from cudaMalloc: nothing is
 * copied, and nothing is checked: `data` must lie on `device`.
 * owner   the memory stays the caller's and must outlive the tensor
 * errors  ERR_CUDA (no such GPU) */
API Tensor *tensor_from_device(DType dtype, Shape shape, void *data,
                               Device device);

/* Copy to a device (lesson 02). Already there: the result is x itself.
 * place   the result lives on `device`; x is untouched */
NODISCARD API Tensor *tensor_to(Tensor *x, Device device);
/* x.to(device, non_blocking=True) (lesson 08): as tensor_to, but the host goes
 * on at once where it can: to a GPU from pinned memory, and from a GPU to the
 * CPU, where the result is pinned. Wait (stream_synchronize, cuda_synchronize)
 * before you read it there, or change x here. */
NODISCARD API Tensor *tensor_to_non_blocking(Tensor *x, Device device);
/* A copy in pinned (page-locked) host memory; pinned already: x itself.
 * errors  ERR_RUNTIME "cannot pin 'torch.cuda.FloatTensor' only dense CPU
 *         tensors can be pinned"; ERR_CUDA when there is no GPU */
NODISCARD API Tensor *tensor_pin_memory(Tensor *x);
/* x.cuda(index); -1 is the current device, not always 0. */
NODISCARD API Tensor *tensor_cuda(Tensor *x, int index);
NODISCARD API Tensor *tensor_cpu(Tensor *x);
/* Another dtype; the same dtype: x itself. */
NODISCARD API Tensor *tensor_cast(Tensor *x, DType dtype);
NODISCARD API Tensor *tensor_half(Tensor *x);
/* A new tensor with the same values, always. */
NODISCARD API Tensor *tensor_clone(Tensor *x);

API Device tensor_device(const Tensor *x);
API bool tensor_is_cuda(const Tensor *x);
API bool tensor_is_pinned(const Tensor *x); // in page-locked host memory?
API DType tensor_dtype(const Tensor *x);
API Shape tensor_shape(const Tensor *x);
API int64_t tensor_size(const Tensor *x, int dim); // dim may be negative
API int tensor_dim(const Tensor *x);
API int64_t tensor_numel(const Tensor *x);
API size_t tensor_nbytes(const Tensor *x); // numel * bytes of one number
API void tensor_strides(const Tensor *x, int64_t *out); // in elements
API bool tensor_is_contiguous(const Tensor *x);

/* The first number's address, in host memory or on the GPU. Lent. */
API void *tensor_data(const Tensor *x);
/* x.numpy(): the address of host data, which you share with x.
 * errors  ERR_TYPE "can't convert cuda:0 device type tensor to numpy. …";
 *         ERR_RUNTIME for a tensor that requires grad */
API void *tensor_numpy(const Tensor *x);

/* The single number of a tensor of one element.
 * errors  ERR_VALUE "only one element tensors can be converted to Python
 *         scalars"; for _int "cannot convert float NaN to integer"; 0 then */
API double tensor_item(const Tensor *x);
API int64_t tensor_item_int(const Tensor *x);
/* Copy all numbers to host memory, C order, converted to double. */
API Status tensor_read(const Tensor *x, double *out, int64_t n);

/* Do two tensors share their bytes? */
API bool tensor_shares_storage(const Tensor *a, const Tensor *b);
/* A number that is this object's alone while it lives (Python's id). */
API uint64_t tensor_id(const Tensor *x);

#endif

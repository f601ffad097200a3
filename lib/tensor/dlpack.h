/* Share a tensor's memory with NumPy, PyTorch and others, without a copy.
 *
 * source  DLPack 0.8 ABI, dmlc.github.io/dlpack
 */
#ifndef TENSOR_DLPACK_H
#define TENSOR_DLPACK_H

#include "tensor/tensor.h" // defines: Tensor
#include <stdint.h>

typedef struct DLDevice {
    int32_t device_type; // 1 CPU, 2 CUDA
    int32_t device_id;
} DLDevice;
typedef struct DLDataType {
    uint8_t code; // 0 int, 1 unsigned, 2 float, 4 bfloat, 6 bool
    uint8_t bits;
    uint16_t lanes;
} DLDataType;
typedef struct DLTensor {
    void *data;
    DLDevice device;
    int32_t ndim;
    DLDataType dtype;
    int64_t *shape;
    int64_t *strides; // in elements; NULL: compact
    uint64_t byte_offset;
} DLTensor;
typedef struct DLManagedTensor {
    DLTensor dl_tensor;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

/* owner   the taker, who calls deleter; x lives on until then
 * errors  ERR_RUNTIME a tensor that requires grad; NULL then */
API DLManagedTensor *tensor_to_dlpack(Tensor *x);
/* Shares the memory; calls deleter when the last view goes.
 * errors  ERR_TYPE a dtype or a layout that we do not have; ERR_MEMORY; NULL,
 *         and the capsule is still the caller's */
API Tensor *tensor_from_dlpack(DLManagedTensor *managed);

#endif

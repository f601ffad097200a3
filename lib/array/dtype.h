/* What one number is: eight dtypes, with PyTorch's promotion rules. */
#ifndef ARRAY_DTYPE_H
#define ARRAY_DTYPE_H

#include "base/attributes.h" // defines: API
#include <stdbool.h>
#include <stddef.h>

/* In order of category (bool < integers < floats), then of size. */
typedef enum DType {
    BOOL,
    UINT8,
    INT32,
    INT64,
    FLOAT16,
    BFLOAT16,
    FLOAT32,
    FLOAT64,
} DType;
enum { N_DTYPES = 8 };

API size_t dtype_bytes(DType dtype);
/* "torch.float32". Lives forever. */
API const char *dtype_name(DType dtype);
/* C++ scalar names that PyTorch's messages use: "Float", "Long". Live
 * forever. */
API const char *dtype_scalar_name(DType dtype);
API bool dtype_is_floating(DType dtype);
/* The common dtype of two tensors with dimensions.
 * source  PyTorch 1.13, torch.promote_types */
API DType dtype_promote(DType a, DType b);

#endif

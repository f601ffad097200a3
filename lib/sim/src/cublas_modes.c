/* The modes of a cuBLAS handle: where scalars live, how it may round. */
#include "cublas_handle.h" // defines: BlasCall, blas_enter_handle

static cublasStatus_t leave_with_mode(BlasCall *call, cublasStatus_t status,
                                      int mode)
{
    return blas_leave(call, status, "handle, %d", mode);
}

cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle,
                                       cublasPointerMode_t *mode)
{
    BlasCall call;
    cublasStatus_t status =
        blas_enter_handle(&call, "cublasGetPointerMode", handle);
    if (status == CUBLAS_STATUS_SUCCESS && !mode)
        status = CUBLAS_STATUS_INVALID_VALUE;
    if (status == CUBLAS_STATUS_SUCCESS)
        *mode = handle->pointer_mode;
    return blas_leave(&call, status, "handle");
}

cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle,
                                       cublasPointerMode_t mode)
{
    BlasCall call;
    cublasStatus_t status =
        blas_enter_handle(&call, "cublasSetPointerMode", handle);
    if (status == CUBLAS_STATUS_SUCCESS && mode != CUBLAS_POINTER_MODE_HOST &&
        mode != CUBLAS_POINTER_MODE_DEVICE)
        status = CUBLAS_STATUS_INVALID_VALUE;
    if (status == CUBLAS_STATUS_SUCCESS)
        handle->pointer_mode = mode;
    return leave_with_mode(&call, status, (int)mode);
}

cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle,
                                    cublasAtomicsMode_t *mode)
{
    BlasCall call;
    cublasStatus_t status =
        blas_enter_handle(&call, "cublasGetAtomicsMode", handle);
    if (status == CUBLAS_STATUS_SUCCESS && !mode)
        status = CUBLAS_STATUS_INVALID_VALUE;
    if (status == CUBLAS_STATUS_SUCCESS)
        *mode = handle->atomics_mode;
    return blas_leave(&call, status, "handle");
}

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle,
                                    cublasAtomicsMode_t mode)
{
    BlasCall call;
    cublasStatus_t status =
        blas_enter_handle(&call, "cublasSetAtomicsMode", handle);
    if (status == CUBLAS_STATUS_SUCCESS && mode != CUBLAS_ATOMICS_NOT_ALLOWED &&
        mode != CUBLAS_ATOMICS_ALLOWED)
        status = CUBLAS_STATUS_INVALID_VALUE;
    if (status == CUBLAS_STATUS_SUCCESS)
        handle->atomics_mode = mode;
    return leave_with_mode(&call, status, (int)mode);
}

cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode)
{
    BlasCall call;
    cublasStatus_t status =
        blas_enter_handle(&call, "cublasGetMathMode", handle);
    if (status == CUBLAS_STATUS_SUCCESS && !mode)
        status = CUBLAS_STATUS_INVALID_VALUE;
    if (status == CUBLAS_STATUS_SUCCESS)
        *mode = handle->math_mode;
    return blas_leave(&call, status, "handle");
}

/* A mode is one of the first four, perhaps with the flag that forbids
 * reductions in less precision; the emulated ones are not simulated. */
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode)
{
    BlasCall call;
    cublasStatus_t status =
        blas_enter_handle(&call, "cublasSetMathMode", handle);
    unsigned base = (unsigned)mode &
                    ~(unsigned)CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
    if (status == CUBLAS_STATUS_SUCCESS && base > CUBLAS_TF32_TENSOR_OP_MATH)
        status = base == CUBLAS_FP32_EMULATED_BF16X9_MATH ||
                         base == CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH
                     ? CUBLAS_STATUS_NOT_SUPPORTED
                     : CUBLAS_STATUS_INVALID_VALUE;
    if (status == CUBLAS_STATUS_SUCCESS)
        handle->math_mode = mode;
    return leave_with_mode(&call, status, (int)mode);
}

/* cuBLAS as the simulator has it: linear algebra on device memory.
 *
 * Column-major, as in Fortran: element (i, j) of A is A[i + j * lda]. Names,
 * argument orders and values are cuBLAS 13's; CONFORMANCE.md says how exact
 * each call is. Calls are queued on the handle's stream and return before the
 * result is there, except those that put a scalar into host memory.
 *
 * source  cuBLAS Library User Guide 13.0
 */
#ifndef CUDASIM_CUBLAS_API_H
#define CUDASIM_CUBLAS_API_H

#include "driver_types.h"  // defines: cudaStream_t
#include "library_types.h" // defines: cudaDataType
#include <stdint.h>        // defines: int64_t

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 1
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VER_BUILD 3
#define CUBLAS_VERSION                                                         \
    (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

#define CUBLASAPI CUDARTAPI

#ifdef __cplusplus
extern "C" {
#endif

/* A cublasStatus_t is no cudaError_t: 7 here is a bad argument, 7 there is not.
 */
typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16,
} cublasStatus_t;

/* Take a matrix as it lies, transposed, or conjugate transposed. */
typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG = 3,
} cublasOperation_t;

/* Where alpha, beta and scalar results live. */
typedef enum {
    CUBLAS_POINTER_MODE_HOST = 0,
    CUBLAS_POINTER_MODE_DEVICE = 1,
} cublasPointerMode_t;

typedef enum {
    CUBLAS_ATOMICS_NOT_ALLOWED = 0,
    CUBLAS_ATOMICS_ALLOWED = 1,
} cublasAtomicsMode_t;

/* Accepted and of no effect on the bits. */
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_ALGO1 = 1,
    CUBLAS_GEMM_ALGO2 = 2,
    CUBLAS_GEMM_ALGO3 = 3,
    CUBLAS_GEMM_ALGO4 = 4,
    CUBLAS_GEMM_ALGO5 = 5,
    CUBLAS_GEMM_ALGO6 = 6,
    CUBLAS_GEMM_ALGO7 = 7,
    CUBLAS_GEMM_ALGO8 = 8,
    CUBLAS_GEMM_ALGO9 = 9,
    CUBLAS_GEMM_ALGO10 = 10,
    CUBLAS_GEMM_ALGO11 = 11,
    CUBLAS_GEMM_ALGO12 = 12,
    CUBLAS_GEMM_ALGO13 = 13,
    CUBLAS_GEMM_ALGO14 = 14,
    CUBLAS_GEMM_ALGO15 = 15,
    CUBLAS_GEMM_ALGO16 = 16,
    CUBLAS_GEMM_ALGO17 = 17,
    CUBLAS_GEMM_ALGO18 = 18,
    CUBLAS_GEMM_ALGO19 = 19,
    CUBLAS_GEMM_ALGO20 = 20,
    CUBLAS_GEMM_ALGO21 = 21,
    CUBLAS_GEMM_ALGO22 = 22,
    CUBLAS_GEMM_ALGO23 = 23,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
    CUBLAS_GEMM_ALGO1_TENSOR_OP = 101,
    CUBLAS_GEMM_ALGO2_TENSOR_OP = 102,
    CUBLAS_GEMM_ALGO3_TENSOR_OP = 103,
    CUBLAS_GEMM_ALGO4_TENSOR_OP = 104,
    CUBLAS_GEMM_ALGO5_TENSOR_OP = 105,
    CUBLAS_GEMM_ALGO6_TENSOR_OP = 106,
    CUBLAS_GEMM_ALGO7_TENSOR_OP = 107,
    CUBLAS_GEMM_ALGO8_TENSOR_OP = 108,
    CUBLAS_GEMM_ALGO9_TENSOR_OP = 109,
    CUBLAS_GEMM_ALGO10_TENSOR_OP = 110,
    CUBLAS_GEMM_ALGO11_TENSOR_OP = 111,
    CUBLAS_GEMM_ALGO12_TENSOR_OP = 112,
    CUBLAS_GEMM_ALGO13_TENSOR_OP = 113,
    CUBLAS_GEMM_ALGO14_TENSOR_OP = 114,
    CUBLAS_GEMM_ALGO15_TENSOR_OP = 115,
    CUBLAS_GEMM_AUTOTUNE = 999,
} cublasGemmAlgo_t;

/* How freely a gemm may round. */
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
    CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH = 8,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16,
} cublasMath_t;

/* In what a gemm multiplies and adds. */
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT = 79,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
} cublasComputeType_t;

/* Parts of matrices; for programs that mention them. */
typedef enum {
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_FILL_MODE_FULL = 2,
} cublasFillMode_t;

typedef enum {
    CUBLAS_DIAG_NON_UNIT = 0,
    CUBLAS_DIAG_UNIT = 1,
} cublasDiagType_t;

typedef enum {
    CUBLAS_SIDE_LEFT = 0,
    CUBLAS_SIDE_RIGHT = 1,
} cublasSideMode_t;

typedef cudaDataType cublasDataType_t;
typedef struct cublasContext *cublasHandle_t;

/* Handles. A handle belongs to the device that is current when it is made. */
CUBLASAPI cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
CUBLASAPI cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
CUBLASAPI cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle,
                                             int *version);
CUBLASAPI cublasStatus_t cublasGetProperty(libraryPropertyType type,
                                           int *value);
CUBLASAPI size_t cublasGetCudartVersion(void);
CUBLASAPI cublasStatus_t cublasSetStream_v2(cublasHandle_t handle,
                                            cudaStream_t streamId);
CUBLASAPI cublasStatus_t cublasGetStream_v2(cublasHandle_t handle,
                                            cudaStream_t *streamId);
CUBLASAPI cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle,
                                               void *workspace,
                                               size_t workspaceSizeInBytes);
CUBLASAPI cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle,
                                                 cublasPointerMode_t *mode);
CUBLASAPI cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle,
                                                 cublasPointerMode_t mode);
CUBLASAPI cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle,
                                              cublasAtomicsMode_t *mode);
CUBLASAPI cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle,
                                              cublasAtomicsMode_t mode);
CUBLASAPI cublasStatus_t cublasGetMathMode(cublasHandle_t handle,
                                           cublasMath_t *mode);
CUBLASAPI cublasStatus_t cublasSetMathMode(cublasHandle_t handle,
                                           cublasMath_t mode);
CUBLASAPI const char *cublasGetStatusName(cublasStatus_t status);
CUBLASAPI const char *cublasGetStatusString(cublasStatus_t status);

/* Copies between host and device, with strides; sizes in elements. */
CUBLASAPI cublasStatus_t cublasSetVector(int n, int elemSize, const void *x,
                                         int incx, void *devicePtr, int incy);
CUBLASAPI cublasStatus_t cublasGetVector(int n, int elemSize, const void *x,
                                         int incx, void *y, int incy);
CUBLASAPI cublasStatus_t cublasSetMatrix(int rows, int cols, int elemSize,
                                         const void *A, int lda, void *B,
                                         int ldb);
CUBLASAPI cublasStatus_t cublasGetMatrix(int rows, int cols, int elemSize,
                                         const void *A, int lda, void *B,
                                         int ldb);
CUBLASAPI cublasStatus_t cublasSetVectorAsync(int n, int elemSize,
                                              const void *hostPtr, int incx,
                                              void *devicePtr, int incy,
                                              cudaStream_t stream);
CUBLASAPI cublasStatus_t cublasGetVectorAsync(int n, int elemSize,
                                              const void *devicePtr, int incx,
                                              void *hostPtr, int incy,
                                              cudaStream_t stream);
CUBLASAPI cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int elemSize,
                                              const void *A, int lda, void *B,
                                              int ldb, cudaStream_t stream);
CUBLASAPI cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int elemSize,
                                              const void *A, int lda, void *B,
                                              int ldb, cudaStream_t stream);

/* Vectors. iamax and iamin count from 1. */
CUBLASAPI cublasStatus_t cublasSaxpy_v2(cublasHandle_t handle, int n,
                                        const float *alpha, const float *x,
                                        int incx, float *y, int incy);
CUBLASAPI cublasStatus_t cublasDaxpy_v2(cublasHandle_t handle, int n,
                                        const double *alpha, const double *x,
                                        int incx, double *y, int incy);
CUBLASAPI cublasStatus_t cublasSscal_v2(cublasHandle_t handle, int n,
                                        const float *alpha, float *x, int incx);
CUBLASAPI cublasStatus_t cublasDscal_v2(cublasHandle_t handle, int n,
                                        const double *alpha, double *x,
                                        int incx);
CUBLASAPI cublasStatus_t cublasSdot_v2(cublasHandle_t handle, int n,
                                       const float *x, int incx, const float *y,
                                       int incy, float *result);
CUBLASAPI cublasStatus_t cublasDdot_v2(cublasHandle_t handle, int n,
                                       const double *x, int incx,
                                       const double *y, int incy,
                                       double *result);
CUBLASAPI cublasStatus_t cublasSnrm2_v2(cublasHandle_t handle, int n,
                                        const float *x, int incx,
                                        float *result);
CUBLASAPI cublasStatus_t cublasDnrm2_v2(cublasHandle_t handle, int n,
                                        const double *x, int incx,
                                        double *result);
CUBLASAPI cublasStatus_t cublasSasum_v2(cublasHandle_t handle, int n,
                                        const float *x, int incx,
                                        float *result);
CUBLASAPI cublasStatus_t cublasDasum_v2(cublasHandle_t handle, int n,
                                        const double *x, int incx,
                                        double *result);
CUBLASAPI cublasStatus_t cublasScopy_v2(cublasHandle_t handle, int n,
                                        const float *x, int incx, float *y,
                                        int incy);
CUBLASAPI cublasStatus_t cublasDcopy_v2(cublasHandle_t handle, int n,
                                        const double *x, int incx, double *y,
                                        int incy);
CUBLASAPI cublasStatus_t cublasSswap_v2(cublasHandle_t handle, int n, float *x,
                                        int incx, float *y, int incy);
CUBLASAPI cublasStatus_t cublasDswap_v2(cublasHandle_t handle, int n, double *x,
                                        int incx, double *y, int incy);
CUBLASAPI cublasStatus_t cublasIsamax_v2(cublasHandle_t handle, int n,
                                         const float *x, int incx, int *result);
CUBLASAPI cublasStatus_t cublasIdamax_v2(cublasHandle_t handle, int n,
                                         const double *x, int incx,
                                         int *result);
CUBLASAPI cublasStatus_t cublasIsamin_v2(cublasHandle_t handle, int n,
                                         const float *x, int incx, int *result);
CUBLASAPI cublasStatus_t cublasIdamin_v2(cublasHandle_t handle, int n,
                                         const double *x, int incx,
                                         int *result);

/* A matrix and a vector. */
CUBLASAPI cublasStatus_t cublasSgemv_v2(cublasHandle_t handle,
                                        cublasOperation_t trans, int m, int n,
                                        const float *alpha, const float *A,
                                        int lda, const float *x, int incx,
                                        const float *beta, float *y, int incy);
CUBLASAPI cublasStatus_t cublasDgemv_v2(cublasHandle_t handle,
                                        cublasOperation_t trans, int m, int n,
                                        const double *alpha, const double *A,
                                        int lda, const double *x, int incx,
                                        const double *beta, double *y,
                                        int incy);
CUBLASAPI cublasStatus_t cublasSger_v2(cublasHandle_t handle, int m, int n,
                                       const float *alpha, const float *x,
                                       int incx, const float *y, int incy,
                                       float *A, int lda);
CUBLASAPI cublasStatus_t cublasDger_v2(cublasHandle_t handle, int m, int n,
                                       const double *alpha, const double *x,
                                       int incx, const double *y, int incy,
                                       double *A, int lda);

/* Matrices, column-major: C = alpha op(A) op(B) + beta C. */
CUBLASAPI cublasStatus_t cublasSgemm_v2(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
    int m, int n, int k, const float *alpha, const float *A, int lda,
    const float *B, int ldb, const float *beta, float *C, int ldc);
CUBLASAPI cublasStatus_t cublasDgemm_v2(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
    int m, int n, int k, const double *alpha, const double *A, int lda,
    const double *B, int ldb, const double *beta, double *C, int ldc);
CUBLASAPI cublasStatus_t cublasSgemmStridedBatched(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
    int m, int n, int k, const float *alpha, const float *A, int lda,
    long long int strideA, const float *B, int ldb, long long int strideB,
    const float *beta, float *C, int ldc, long long int strideC,
    int batchCount);
CUBLASAPI cublasStatus_t cublasDgemmStridedBatched(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
    int m, int n, int k, const double *alpha, const double *A, int lda,
    long long int strideA, const double *B, int ldb, long long int strideB,
    const double *beta, double *C, int ldc, long long int strideC,
    int batchCount);
CUBLASAPI cublasStatus_t cublasGemmEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
    int m, int n, int k, const void *alpha, const void *A, cudaDataType Atype,
    int lda, const void *B, cudaDataType Btype, int ldb, const void *beta,
    void *C, cudaDataType Ctype, int ldc, cublasComputeType_t computeType,
    cublasGemmAlgo_t algo);
CUBLASAPI cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
    int m, int n, int k, const void *alpha, const void *A, cudaDataType Atype,
    int lda, long long int strideA, const void *B, cudaDataType Btype, int ldb,
    long long int strideB, const void *beta, void *C, cudaDataType Ctype,
    int ldc, long long int strideC, int batchCount,
    cublasComputeType_t computeType, cublasGemmAlgo_t algo);

#ifdef __cplusplus
}
#endif

#endif

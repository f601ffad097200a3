/* cublasSetVector and its sisters: strided copies between host and device.
 *
 * They need no handle; each is a copy of n rows that lie apart (cudaMemcpy2D)
 * on the current device. */
#include "cublas_v2.h"        // defines: the prototypes
#include "cuda_runtime_api.h" // defines: cudaMemcpy2D, cudaMemcpy2DAsync

#include <stdbool.h>

/* A copy of `columns` pieces of row_bytes each. */
typedef struct Strided {
    const void *from;
    void *to;
    size_t from_pitch, to_pitch, row_bytes, columns;
    enum cudaMemcpyKind kind;
} Strided;

static cublasStatus_t status_of(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return CUBLAS_STATUS_SUCCESS;
    case cudaErrorInvalidValue:
        return CUBLAS_STATUS_INVALID_VALUE;
    case cudaErrorInsufficientDriver:
    case cudaErrorNoDevice:
    case cudaErrorInitializationError:
        return CUBLAS_STATUS_NOT_INITIALIZED;
    default:
        return CUBLAS_STATUS_MAPPING_ERROR;
    }
}

static cublasStatus_t copy(Strided c, bool is_async, cudaStream_t stream)
{
    if (c.row_bytes == 0 || c.columns == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (c.from_pitch == c.row_bytes && c.to_pitch == c.row_bytes) {
        size_t bytes = c.row_bytes * c.columns; // nothing between: one piece
        return status_of(
            is_async ? cudaMemcpyAsync(c.to, c.from, bytes, c.kind, stream)
                     : cudaMemcpy(c.to, c.from, bytes, c.kind));
    }
    return status_of(
        is_async ? cudaMemcpy2DAsync(c.to, c.to_pitch, c.from, c.from_pitch,
                                     c.row_bytes, c.columns, c.kind, stream)
                 : cudaMemcpy2D(c.to, c.to_pitch, c.from, c.from_pitch,
                                c.row_bytes, c.columns, c.kind));
}

static cublasStatus_t copy_vector(int n, int width, const void *x, int incx,
                                  void *y, int incy, enum cudaMemcpyKind kind,
                                  bool is_async, cudaStream_t stream)
{
    if (n < 0 || width <= 0 || incx <= 0 || incy <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    Strided c = {.from = x,
                 .to = y,
                 .from_pitch = (size_t)incx * (size_t)width,
                 .to_pitch = (size_t)incy * (size_t)width,
                 .row_bytes = (size_t)width,
                 .columns = (size_t)n,
                 .kind = kind};
    return copy(c, is_async, stream);
}

static cublasStatus_t copy_matrix(int rows, int cols, int width, const void *A,
                                  int lda, void *B, int ldb,
                                  enum cudaMemcpyKind kind, bool is_async,
                                  cudaStream_t stream)
{
    if (rows < 0 || cols < 0 || width <= 0 || lda <= 0 || ldb <= 0 ||
        lda < rows || ldb < rows)
        return CUBLAS_STATUS_INVALID_VALUE;
    Strided c = {.from = A,
                 .to = B,
                 .from_pitch = (size_t)lda * (size_t)width,
                 .to_pitch = (size_t)ldb * (size_t)width,
                 .row_bytes = (size_t)rows * (size_t)width,
                 .columns = (size_t)cols,
                 .kind = kind};
    return copy(c, is_async, stream);
}

cublasStatus_t cublasSetVector(int n, int elemSize, const void *x, int incx,
                               void *devicePtr, int incy)
{
    return copy_vector(n, elemSize, x, incx, devicePtr, incy,
                       cudaMemcpyHostToDevice, false, NULL);
}

cublasStatus_t cublasGetVector(int n, int elemSize, const void *x, int incx,
                               void *y, int incy)
{
    return copy_vector(n, elemSize, x, incx, y, incy, cudaMemcpyDeviceToHost,
                       false, NULL);
}

cublasStatus_t cublasSetMatrix(int rows, int cols, int elemSize, const void *A,
                               int lda, void *B, int ldb)
{
    return copy_matrix(rows, cols, elemSize, A, lda, B, ldb,
                       cudaMemcpyHostToDevice, false, NULL);
}

cublasStatus_t cublasGetMatrix(int rows, int cols, int elemSize, const void *A,
                               int lda, void *B, int ldb)
{
    return copy_matrix(rows, cols, elemSize, A, lda, B, ldb,
                       cudaMemcpyDeviceToHost, false, NULL);
}

cublasStatus_t cublasSetVectorAsync(int n, int elemSize, const void *hostPtr,
                                    int incx, void *devicePtr, int incy,
                                    cudaStream_t stream)
{
    return copy_vector(n, elemSize, hostPtr, incx, devicePtr, incy,
                       cudaMemcpyHostToDevice, true, stream);
}

cublasStatus_t cublasGetVectorAsync(int n, int elemSize, const void *devicePtr,
                                    int incx, void *hostPtr, int incy,
                                    cudaStream_t stream)
{
    return copy_vector(n, elemSize, devicePtr, incx, hostPtr, incy,
                       cudaMemcpyDeviceToHost, true, stream);
}

cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int elemSize,
                                    const void *A, int lda, void *B, int ldb,
                                    cudaStream_t stream)
{
    return copy_matrix(rows, cols, elemSize, A, lda, B, ldb,
                       cudaMemcpyHostToDevice, true, stream);
}

cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int elemSize,
                                    const void *A, int lda, void *B, int ldb,
                                    cudaStream_t stream)
{
    return copy_matrix(rows, cols, elemSize, A, lda, B, ldb,
                       cudaMemcpyDeviceToHost, true, stream);
}

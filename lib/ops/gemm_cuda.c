/* Products on a GPU, by cuBLAS.
 *
 * cuBLAS counts columns first. The rows of c are the columns of c^T, and
 * c^T = b^T a^T: so the operands change places, and nothing is moved.
 */
#include "device/count.h"  // defines: ledger_count_launch
#include "device/ledger.h" // defines: LEDGER_MAX_DEVICES
#include "device/stream.h" // defines: device_enter, stream_current
#include "ops/gemm.h"      // defines: Gemm, gemm_on_cuda
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <limits.h>
#include <pthread.h>

/* One handle a device, made at its first product; it lives as long as the
 * process. The lock: a handle has one stream at a time. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cublasHandle_t handles[LEDGER_MAX_DEVICES];

static Status check(cublasStatus_t status, const char *call)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return OK;
    // An earlier fault of the device explains it better.
    TRY(cuda_check((int)cudaGetLastError()));
    return status_fail(ERR_CUDA, "CUDA error: %s when calling `%s`",
                       cublasGetStatusName(status), call);
}

static Status ready(int device, cublasHandle_t *out)
{
    if (!handles[device])
        TRY(check(cublasCreate(&handles[device]), "cublasCreate(handle)"));
    *out = handles[device];
    return check(
        cublasSetStream(*out, (cudaStream_t)stream_current(device).handle),
        "cublasSetStream(handle, stream)");
}

static cublasOperation_t flag(const Matrix *matrix)
{
    return matrix->transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
}

static Status multiply_f32(cublasHandle_t handle, const Gemm *g)
{
    const float one = 1;
    const float zero = 0;
    if (g->n_batches == 1)
        return check(
            cublasSgemm(handle, flag(&g->b), flag(&g->a), (int)g->n, (int)g->m,
                        (int)g->k, &one, g->b.data, (int)g->b.leading,
                        g->a.data, (int)g->a.leading, &zero, g->c.data,
                        (int)g->c.leading),
            "cublasSgemm( handle, opa, opb, m, n, k, &alpha, a, lda, b, ldb, "
            "&beta, c, ldc)");
    return check(
        cublasSgemmStridedBatched(
            handle, flag(&g->b), flag(&g->a), (int)g->n, (int)g->m, (int)g->k,
            &one, g->b.data, (int)g->b.leading, g->b.batch_stride, g->a.data,
            (int)g->a.leading, g->a.batch_stride, &zero, g->c.data,
            (int)g->c.leading, g->c.batch_stride, (int)g->n_batches),
        "cublasSgemmStridedBatched( handle, opa, opb, m, n, k, &alpha, a, lda, "
        "stridea, b, ldb, strideb, &beta, c, ldc, stridec, num_batches)");
}

static Status multiply_f64(cublasHandle_t handle, const Gemm *g)
{
    const double one = 1;
    const double zero = 0;
    if (g->n_batches == 1)
        return check(
            cublasDgemm(handle, flag(&g->b), flag(&g->a), (int)g->n, (int)g->m,
                        (int)g->k, &one, g->b.data, (int)g->b.leading,
                        g->a.data, (int)g->a.leading, &zero, g->c.data,
                        (int)g->c.leading),
            "cublasDgemm( handle, opa, opb, m, n, k, &alpha, a, lda, b, ldb, "
            "&beta, c, ldc)");
    return check(
        cublasDgemmStridedBatched(
            handle, flag(&g->b), flag(&g->a), (int)g->n, (int)g->m, (int)g->k,
            &one, g->b.data, (int)g->b.leading, g->b.batch_stride, g->a.data,
            (int)g->a.leading, g->a.batch_stride, &zero, g->c.data,
            (int)g->c.leading, g->c.batch_stride, (int)g->n_batches),
        "cublasDgemmStridedBatched( handle, opa, opb, m, n, k, &alpha, a, lda, "
        "stridea, b, ldb, strideb, &beta, c, ldc, stridec, num_batches)");
}

/* The halves: stored in 16 bits, added in float32. */
static Status multiply_half(cublasHandle_t handle, const Gemm *g)
{
    const float one = 1;
    const float zero = 0;
    cudaDataType type = g->dtype == FLOAT16 ? CUDA_R_16F : CUDA_R_16BF;
    if (g->n_batches == 1)
        return check(
            cublasGemmEx(handle, flag(&g->b), flag(&g->a), (int)g->n, (int)g->m,
                         (int)g->k, &one, g->b.data, type, (int)g->b.leading,
                         g->a.data, type, (int)g->a.leading, &zero, g->c.data,
                         type, (int)g->c.leading, CUBLAS_COMPUTE_32F,
                         CUBLAS_GEMM_DEFAULT),
            "cublasGemmEx( handle, opa, opb, m, n, k, &alpha, a, type, lda, b, "
            "type, ldb, &beta, c, type, ldc, computeType, algo)");
    return check(
        cublasGemmStridedBatchedEx(
            handle, flag(&g->b), flag(&g->a), (int)g->n, (int)g->m, (int)g->k,
            &one, g->b.data, type, (int)g->b.leading, g->b.batch_stride,
            g->a.data, type, (int)g->a.leading, g->a.batch_stride, &zero,
            g->c.data, type, (int)g->c.leading, g->c.batch_stride,
            (int)g->n_batches, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
        "cublasGemmStridedBatchedEx( handle, opa, opb, m, n, k, &alpha, a, "
        "type, lda, stridea, b, type, ldb, strideb, &beta, c, type, ldc, "
        "stridec, num_batches, computeType, algo)");
}

/* cuBLAS counts in ints: what is larger would come to it cut off. */
static Status check_size(int64_t value, const char *name)
{
    if (value <= INT_MAX)
        return OK;
    return status_fail(ERR_RUNTIME,
                       "at::cuda::blas::gemm argument %s must be non-negative "
                       "and less than %d but got %lld",
                       name, INT_MAX, (long long)value);
}

static Status check_sizes(const Gemm *gemm)
{
    TRY(check_size(gemm->m, "m"));
    TRY(check_size(gemm->n, "n"));
    TRY(check_size(gemm->k, "k"));
    TRY(check_size(gemm->a.leading, "lda"));
    TRY(check_size(gemm->b.leading, "ldb"));
    return check_size(gemm->n_batches, "num_batches");
}

/* The device is current, the lock is held. */
static Status multiply(int device, const Gemm *gemm)
{
    cublasHandle_t handle = NULL;
    TRY(ready(device, &handle));
    if (gemm->dtype == FLOAT32)
        return multiply_f32(handle, gemm);
    if (gemm->dtype == FLOAT64)
        return multiply_f64(handle, gemm);
    return multiply_half(handle, gemm);
}

Status gemm_on_cuda(int device, const Gemm *gemm)
{
    if (!dtype_is_floating(gemm->dtype))
        return status_fail(ERR_RUNTIME,
                           "\"addmm_cuda\" not implemented for '%s'",
                           dtype_scalar_name(gemm->dtype));
    TRY(check_sizes(gemm));
    int before = -1;
    TRY(device_enter(device_cuda(device), &before));
    pthread_mutex_lock(&lock);
    Status status = multiply(device, gemm);
    pthread_mutex_unlock(&lock);
    device_leave(before);
    ledger_count_launch();
    return status;
}

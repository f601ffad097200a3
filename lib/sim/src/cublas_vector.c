/* cuBLAS level 1 and 2: vectors, and matrices times vectors. */
#include "cublas_handle.h" // defines: BlasCall, blas_enter, blas_push
#include "gemm.h"          // defines: Number
#include "memory.h"        // defines: memory_translate
#include "vector.h"        // defines: VectorWork, vector_run

/* The task: addresses are still the device's. */
typedef struct VectorTask {
    VectorWork work;
    Scalar alpha, beta;
    void *result; // in device memory, or NULL: the caller reads work.result
    bool result_is_int;
} VectorTask;

static size_t width_of(const VectorWork *work)
{
    return work->is_double ? sizeof(double) : sizeof(float);
}

static bool has_y(VectorKind kind)
{
    return kind == VECTOR_AXPY || kind == VECTOR_COPY || kind == VECTOR_SWAP ||
           kind == VECTOR_DOT || kind == VECTOR_GEMV || kind == VECTOR_GER;
}

static bool gives_result(VectorKind kind)
{
    return kind >= VECTOR_DOT && kind <= VECTOR_AMIN;
}

/* Elements of x and of y. */
static int64_t count_x(const VectorWork *work)
{
    if (work->kind == VECTOR_GEMV)
        return work->transpose ? work->m : work->n;
    return work->kind == VECTOR_GER ? work->m : work->n;
}

static int64_t count_y(const VectorWork *work)
{
    if (work->kind == VECTOR_GEMV)
        return work->transpose ? work->n : work->m;
    return work->n;
}

static size_t span(int64_t n, int64_t step, size_t width)
{
    int64_t distance = step < 0 ? -step : step;
    return n <= 0 ? 0 : ((size_t)(n - 1) * (size_t)distance + 1) * width;
}

/* Put host addresses for the device's. */
static bool translate(const Device *device, VectorWork *work)
{
    size_t width = width_of(work);
    bool has_a = work->kind == VECTOR_GEMV || work->kind == VECTOR_GER;
    work->x = memory_translate(device, work->x,
                               span(count_x(work), work->step_x, width));
    if (has_y(work->kind))
        work->y = memory_translate(device, work->y,
                                   span(count_y(work), work->step_y, width));
    if (has_a)
        work->a = memory_translate(
            device, work->a,
            (size_t)((work->n - 1) * work->lda + work->m) * width);
    return work->x && (work->y || !has_y(work->kind)) && (work->a || !has_a);
}

static void store_result(void *out, const VectorTask *task)
{
    if (task->result_is_int)
        *(int *)out = (int)task->work.result;
    else if (task->work.is_double)
        *(double *)out = task->work.result;
    else
        *(float *)out = (float)task->work.result;
}

static cudaError_t run_vector(Task *task)
{
    VectorTask *mine = task_payload(task);
    VectorWork work = mine->work;
    int number = work.is_double ? NUMBER_F64 : NUMBER_F32;
    if (!blas_scalar_read(task, number, &mine->alpha, &work.alpha) ||
        !blas_scalar_read(task, number, &mine->beta, &work.beta))
        return cudaErrorIllegalAddress;
    if (work.n > 0) {
        if (!translate(task->device, &work))
            return cudaErrorIllegalAddress;
        vector_run(&work);
    }
    mine->work.result = work.result;
    if (mine->result) {
        size_t bytes = mine->result_is_int ? sizeof(int) : width_of(&work);
        void *out = memory_translate(task->device, mine->result, bytes);
        if (!out)
            return cudaErrorIllegalAddress;
        store_result(out, mine);
    }
    return cudaSuccess;
}

/* What the GPU computes, and the memory it reads and writes. */
static void cost_of(const VectorWork *work, double *flops, double *bytes)
{
    double n = (double)work->n, m = (double)work->m;
    double width = (double)width_of(work);
    switch (work->kind) {
    case VECTOR_GEMV:
        *flops = 2 * m * n;
        *bytes = width * (m * n + m + 2 * n);
        break;
    case VECTOR_GER:
        *flops = 2 * m * n;
        *bytes = width * (2 * m * n + m + n);
        break;
    case VECTOR_AXPY:
        *flops = 2 * n;
        *bytes = 3 * n * width;
        break;
    case VECTOR_SWAP:
        *flops = 0;
        *bytes = 4 * n * width;
        break;
    case VECTOR_SCAL:
    case VECTOR_COPY:
    case VECTOR_DOT:
        *flops = work->kind == VECTOR_COPY ? 0 : 2 * n;
        *bytes = 2 * n * width;
        break;
    default:
        *flops = 2 * n;
        *bytes = n * width;
        break;
    }
}

/* Push it; a result that goes to host memory is waited for. */
static cublasStatus_t push_vector(const BlasCall *call, VectorTask mine,
                                  void *result)
{
    bool on_host = gives_result(mine.work.kind) &&
                   call->handle->pointer_mode == CUBLAS_POINTER_MODE_HOST;
    mine.result = on_host ? NULL : result;
    Task *task = task_new(call->call.name, sizeof(mine));
    if (!task)
        return CUBLAS_STATUS_ALLOC_FAILED;
    *(VectorTask *)task_payload(task) = mine;
    task->run = run_vector;
    double flops, bytes;
    cost_of(&mine.work, &flops, &bytes);
    Rate rate = mine.work.is_double ? RATE_FLOAT64 : RATE_FLOAT32;
    cublasStatus_t status = blas_push(call, task, rate, flops, bytes, on_host);
    if (on_host) {
        if (status == CUBLAS_STATUS_SUCCESS)
            store_result(result, task_payload(task));
        task_release(task);
    }
    return status;
}

/* BLAS does nothing for n <= 0, nor, where a step must be positive, for
 * step <= 0; what gives a result then gives 0. */
static bool is_empty(const VectorWork *work)
{
    bool strict = work->kind == VECTOR_SCAL || work->kind == VECTOR_NRM2 ||
                  work->kind == VECTOR_ASUM || work->kind == VECTOR_AMAX ||
                  work->kind == VECTOR_AMIN;
    return work->n <= 0 || (strict && work->step_x <= 0);
}

/* All of level 1. alpha and result: NULL where the operation has none. */
static cublasStatus_t level1(const char *name, cublasHandle_t handle,
                             VectorWork work, const void *alpha, void *result)
{
    BlasCall call;
    VectorTask mine = {.work = work};
    bool has_alpha = work.kind == VECTOR_AXPY || work.kind == VECTOR_SCAL;
    mine.result_is_int = work.kind == VECTOR_AMAX || work.kind == VECTOR_AMIN;
    cublasStatus_t status = blas_enter(&call, name, handle);
    if (status == CUBLAS_STATUS_SUCCESS && gives_result(work.kind) && !result)
        status = CUBLAS_STATUS_INVALID_VALUE;
    if (status == CUBLAS_STATUS_SUCCESS && has_alpha)
        status = blas_scalar(&call, work.is_double ? NUMBER_F64 : NUMBER_F32,
                             alpha, &mine.alpha);
    if (status == CUBLAS_STATUS_SUCCESS) {
        if (is_empty(&work))
            mine.work.n = 0;
        if (mine.work.n > 0 || gives_result(work.kind))
            status = push_vector(&call, mine, result);
    }
    return blas_leave(&call, status, "%lld, %s, %lld%s%s", (long long)work.n,
                      log_pointer(LOG_TEXT, work.x), (long long)work.step_x,
                      has_y(work.kind) ? ", " : "",
                      has_y(work.kind) ? log_pointer(LOG_TEXT, work.y) : "");
}

/* gemv and ger: the same checks on their matrix. */
static cublasStatus_t level2(const char *name, cublasHandle_t handle,
                             VectorWork work, const void *alpha,
                             const void *beta)
{
    BlasCall call;
    VectorTask mine = {.work = work};
    int number = work.is_double ? NUMBER_F64 : NUMBER_F32;
    cublasStatus_t status = blas_enter(&call, name, handle);
    if (status == CUBLAS_STATUS_SUCCESS &&
        (work.m < 0 || work.n < 0 || work.step_x == 0 || work.step_y == 0 ||
         work.lda < 1 || work.lda < work.m))
        status = CUBLAS_STATUS_INVALID_VALUE;
    if (status == CUBLAS_STATUS_SUCCESS)
        status = blas_scalar(&call, number, alpha, &mine.alpha);
    if (status == CUBLAS_STATUS_SUCCESS && work.kind == VECTOR_GEMV)
        status = blas_scalar(&call, number, beta, &mine.beta);
    if (status == CUBLAS_STATUS_SUCCESS && work.m > 0 && work.n > 0)
        status = push_vector(&call, mine, NULL);
    return blas_leave(
        &call, status, "%lld, %lld, %s, %lld, %s, %s", (long long)work.m,
        (long long)work.n, log_pointer(LOG_TEXT, work.a), (long long)work.lda,
        log_pointer(LOG_TEXT, work.x), log_pointer(LOG_TEXT, work.y));
}

/* x is const in most prototypes; only scal and swap write to it. */
static VectorWork work_of(VectorKind kind, bool is_double, int n, const void *x,
                          int step_x, void *y, int step_y)
{
    return (VectorWork){.kind = kind,
                        .is_double = is_double,
                        .n = n,
                        .x = (void *)(uintptr_t)x,
                        .step_x = step_x,
                        .y = y,
                        .step_y = step_y};
}

#define LEVEL1(S, type, is_double)                                             \
    cublasStatus_t cublas##S##axpy_v2(cublasHandle_t handle, int n,            \
                                      const type *alpha, const type *x,        \
                                      int incx, type *y, int incy)             \
    {                                                                          \
        return level1("cublas" #S "axpy", handle,                              \
                      work_of(VECTOR_AXPY, is_double, n, x, incx, y, incy),    \
                      alpha, NULL);                                            \
    }                                                                          \
    cublasStatus_t cublas##S##scal_v2(cublasHandle_t handle, int n,            \
                                      const type *alpha, type *x, int incx)    \
    {                                                                          \
        return level1("cublas" #S "scal", handle,                              \
                      work_of(VECTOR_SCAL, is_double, n, x, incx, NULL, 0),    \
                      alpha, NULL);                                            \
    }                                                                          \
    cublasStatus_t cublas##S##copy_v2(cublasHandle_t handle, int n,            \
                                      const type *x, int incx, type *y,        \
                                      int incy)                                \
    {                                                                          \
        return level1("cublas" #S "copy", handle,                              \
                      work_of(VECTOR_COPY, is_double, n, x, incx, y, incy),    \
                      NULL, NULL);                                             \
    }                                                                          \
    cublasStatus_t cublas##S##swap_v2(cublasHandle_t handle, int n, type *x,   \
                                      int incx, type *y, int incy)             \
    {                                                                          \
        return level1("cublas" #S "swap", handle,                              \
                      work_of(VECTOR_SWAP, is_double, n, x, incx, y, incy),    \
                      NULL, NULL);                                             \
    }                                                                          \
    cublasStatus_t cublas##S##dot_v2(cublasHandle_t handle, int n,             \
                                     const type *x, int incx, const type *y,   \
                                     int incy, type *result)                   \
    {                                                                          \
        return level1("cublas" #S "dot", handle,                               \
                      work_of(VECTOR_DOT, is_double, n, x, incx,               \
                              (void *)(uintptr_t)y, incy),                     \
                      NULL, result);                                           \
    }

#define REDUCTION(name, kind, type, is_double, out)                            \
    cublasStatus_t name##_v2(cublasHandle_t handle, int n, const type *x,      \
                             int incx, out *result)                            \
    {                                                                          \
        return level1(#name, handle,                                           \
                      work_of(kind, is_double, n, x, incx, NULL, 0), NULL,     \
                      result);                                                 \
    }

LEVEL1(S, float, false)
LEVEL1(D, double, true)
REDUCTION(cublasSnrm2, VECTOR_NRM2, float, false, float)
REDUCTION(cublasDnrm2, VECTOR_NRM2, double, true, double)
REDUCTION(cublasSasum, VECTOR_ASUM, float, false, float)
REDUCTION(cublasDasum, VECTOR_ASUM, double, true, double)
REDUCTION(cublasIsamax, VECTOR_AMAX, float, false, int)
REDUCTION(cublasIdamax, VECTOR_AMAX, double, true, int)
REDUCTION(cublasIsamin, VECTOR_AMIN, float, false, int)
REDUCTION(cublasIdamin, VECTOR_AMIN, double, true, int)

static cublasStatus_t gemv(const char *name, bool is_double,
                           cublasHandle_t handle, cublasOperation_t trans,
                           const int sizes[3], const void *A, const void *x,
                           int incx, void *y, int incy, const void *alpha,
                           const void *beta)
{
    VectorWork work =
        work_of(VECTOR_GEMV, is_double, sizes[1], x, incx, y, incy);
    bool known =
        trans == CUBLAS_OP_N || trans == CUBLAS_OP_T || trans == CUBLAS_OP_C;
    work.m = known ? sizes[0] : -1; // a bad value, refused with the others
    work.a = (void *)(uintptr_t)A;
    work.lda = sizes[2];
    work.transpose = trans != CUBLAS_OP_N;
    return level2(name, handle, work, alpha, beta);
}

cublasStatus_t cublasSgemv_v2(cublasHandle_t handle, cublasOperation_t trans,
                              int m, int n, const float *alpha, const float *A,
                              int lda, const float *x, int incx,
                              const float *beta, float *y, int incy)
{
    return gemv("cublasSgemv", false, handle, trans, (int[]){m, n, lda}, A, x,
                incx, y, incy, alpha, beta);
}

cublasStatus_t cublasDgemv_v2(cublasHandle_t handle, cublasOperation_t trans,
                              int m, int n, const double *alpha,
                              const double *A, int lda, const double *x,
                              int incx, const double *beta, double *y, int incy)
{
    return gemv("cublasDgemv", true, handle, trans, (int[]){m, n, lda}, A, x,
                incx, y, incy, alpha, beta);
}

static cublasStatus_t ger(const char *name, bool is_double,
                          cublasHandle_t handle, const int sizes[3],
                          const void *x, int incx, const void *y, int incy,
                          void *A, const void *alpha)
{
    VectorWork work = work_of(VECTOR_GER, is_double, sizes[1], x, incx,
                              (void *)(uintptr_t)y, incy);
    work.m = sizes[0];
    work.a = A;
    work.lda = sizes[2];
    return level2(name, handle, work, alpha, NULL);
}

cublasStatus_t cublasSger_v2(cublasHandle_t handle, int m, int n,
                             const float *alpha, const float *x, int incx,
                             const float *y, int incy, float *A, int lda)
{
    return ger("cublasSger", false, handle, (int[]){m, n, lda}, x, incx, y,
               incy, A, alpha);
}

cublasStatus_t cublasDger_v2(cublasHandle_t handle, int m, int n,
                             const double *alpha, const double *x, int incx,
                             const double *y, int incy, double *A, int lda)
{
    return ger("cublasDger", true, handle, (int[]){m, n, lda}, x, incx, y, incy,
               A, alpha);
}

/* cublasXgemm: products of matrices in device memory. */
#include "cublas_handle.h" // defines: BlasCall, blas_enter, blas_push
#include "gemm.h"          // defines: Gemm, gemm_run
#include "memory.h"        // defines: memory_translate

/* One call: one product, or a batch of them at fixed distances. */
typedef struct Product {
    Gemm gemm; // addresses still the device's; alpha and beta not yet read
    Scalar alpha, beta;
    Number scalar; // what alpha and beta are
    int64_t stride_a, stride_b, stride_c;
    int n_batches;
    Rate rate;
} Product;

static double size_of(int64_t rows, int64_t columns, Number number)
{
    return (double)rows * (double)columns * (double)number_bytes(number);
}

/* Bytes from a matrix's first element to its last; columns are ld apart. */
static size_t span(int64_t rows, int64_t columns, int64_t ld, Number number)
{
    return rows == 0 || columns == 0
               ? 0
               : (size_t)((columns - 1) * ld + rows) * number_bytes(number);
}

static cudaError_t run_one(const Task *task, Gemm gemm, const Product *product,
                           int batch)
{
    int64_t width = (int64_t)number_bytes(gemm.input);
    int64_t out_width = (int64_t)number_bytes(gemm.output);
    int64_t rows_a = gemm.transpose_a ? gemm.k : gemm.m;
    int64_t rows_b = gemm.transpose_b ? gemm.n : gemm.k;
    const char *a = (const char *)gemm.a + batch * product->stride_a * width;
    const char *b = (const char *)gemm.b + batch * product->stride_b * width;
    char *c = (char *)gemm.c + batch * product->stride_c * out_width;
    if (gemm.k > 0 && gemm.alpha != 0) {
        gemm.a = memory_translate(
            task->device, a,
            span(rows_a, gemm.m + gemm.k - rows_a, gemm.lda, gemm.input));
        gemm.b = memory_translate(
            task->device, b,
            span(rows_b, gemm.n + gemm.k - rows_b, gemm.ldb, gemm.input));
        if (!gemm.a || !gemm.b)
            return cudaErrorIllegalAddress;
    } else {
        gemm.k = 0; // nothing of A and B is read
    }
    gemm.c = memory_translate(task->device, c,
                              span(gemm.m, gemm.n, gemm.ldc, gemm.output));
    if (!gemm.c)
        return cudaErrorIllegalAddress;
    return gemm_run(&gemm) ? cudaSuccess : cudaErrorLaunchFailure;
}

static cudaError_t run_product(Task *task)
{
    const Product *product = task_payload(task);
    Gemm gemm = product->gemm;
    if (!blas_scalar_read(task, (int)product->scalar, &product->alpha,
                          &gemm.alpha) ||
        !blas_scalar_read(task, (int)product->scalar, &product->beta,
                          &gemm.beta))
        return cudaErrorIllegalAddress;
    for (int i = 0; i < product->n_batches; i++) {
        cudaError_t error = run_one(task, gemm, product, i);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

static bool is_operation(cublasOperation_t operation)
{
    return operation == CUBLAS_OP_N || operation == CUBLAS_OP_T ||
           operation == CUBLAS_OP_C;
}

/* The checks that cuBLAS documents, then the task. */
static cublasStatus_t push_product(const BlasCall *call, Product product,
                                   cublasOperation_t transa,
                                   cublasOperation_t transb, const void *alpha,
                                   const void *beta)
{
    Gemm *gemm = &product.gemm;
    if (!is_operation(transa) || !is_operation(transb) || gemm->m < 0 ||
        gemm->n < 0 || gemm->k < 0 || product.n_batches < 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    gemm->transpose_a = transa != CUBLAS_OP_N;
    gemm->transpose_b = transb != CUBLAS_OP_N;
    int64_t rows_a = gemm->transpose_a ? gemm->k : gemm->m;
    int64_t rows_b = gemm->transpose_b ? gemm->n : gemm->k;
    if (gemm->lda < 1 || gemm->lda < rows_a || gemm->ldb < 1 ||
        gemm->ldb < rows_b || gemm->ldc < 1 || gemm->ldc < gemm->m)
        return CUBLAS_STATUS_INVALID_VALUE;
    cublasStatus_t status =
        blas_scalar(call, (int)product.scalar, alpha, &product.alpha);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = blas_scalar(call, (int)product.scalar, beta, &product.beta);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    bool reads_c = product.beta.address || product.beta.value != 0;
    if (!gemm->c && reads_c)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (gemm->m == 0 || gemm->n == 0 || product.n_batches == 0)
        return CUBLAS_STATUS_SUCCESS;
    Task *task = task_new(call->call.name, sizeof(product));
    if (!task)
        return CUBLAS_STATUS_ALLOC_FAILED;
    *(Product *)task_payload(task) = product;
    task->run = run_product;
    double flops = 2.0 * (double)gemm->m * (double)gemm->n * (double)gemm->k;
    double bytes = size_of(gemm->m, gemm->k, gemm->input) +
                   size_of(gemm->k, gemm->n, gemm->input) +
                   size_of(gemm->m, gemm->n, gemm->output) * (reads_c ? 2 : 1);
    return blas_push(call, task, product.rate, flops * product.n_batches,
                     bytes * product.n_batches, false);
}

/* float32 inputs may be shortened to TF32 where the handle allows it and the
 * card has the unit (compute capability 8). */
static void allow_tf32(const BlasCall *call, Product *product)
{
    unsigned base = (unsigned)call->handle->math_mode & 3u;
    if (base == CUBLAS_TF32_TENSOR_OP_MATH &&
        call->device->model->cc_major >= 8) {
        product->gemm.shorten = SHORTEN_TF32;
        product->rate = RATE_TF32;
    }
}

#define GEMM_ARGUMENTS "%d, %d, %d, %d, %d, %s, %d, %s, %d, %s, %d"

/* S and D, one or many, differ in their names and numbers only. */
static cublasStatus_t typed_gemm(const char *name, cublasHandle_t handle,
                                 Product product, cublasOperation_t transa,
                                 cublasOperation_t transb, const void *alpha,
                                 const void *beta)
{
    BlasCall call;
    const Gemm *gemm = &product.gemm;
    cublasStatus_t status = blas_enter(&call, name, handle);
    if (status == CUBLAS_STATUS_SUCCESS) {
        if (product.scalar == NUMBER_F32)
            allow_tf32(&call, &product);
        status = push_product(&call, product, transa, transb, alpha, beta);
    }
    return blas_leave(&call, status, GEMM_ARGUMENTS ", batches %d", (int)transa,
                      (int)transb, (int)gemm->m, (int)gemm->n, (int)gemm->k,
                      log_pointer(LOG_TEXT, gemm->a), (int)gemm->lda,
                      log_pointer(LOG_TEXT, gemm->b), (int)gemm->ldb,
                      log_pointer(LOG_TEXT, gemm->c), (int)gemm->ldc,
                      product.n_batches);
}

static Product product_of(Number number, int m, int n, int k, const void *a,
                          int lda, const void *b, int ldb, void *c, int ldc)
{
    bool is_double = number == NUMBER_F64;
    return (Product){.gemm = {.m = m,
                              .n = n,
                              .k = k,
                              .a = a,
                              .b = b,
                              .c = c,
                              .lda = lda,
                              .ldb = ldb,
                              .ldc = ldc,
                              .input = number,
                              .output = number,
                              .sum = is_double ? SUM_F64 : SUM_F32},
                     .scalar = number,
                     .n_batches = 1,
                     .rate = is_double ? RATE_FLOAT64 : RATE_FLOAT32};
}

cublasStatus_t cublasSgemm_v2(cublasHandle_t handle, cublasOperation_t transa,
                              cublasOperation_t transb, int m, int n, int k,
                              const float *alpha, const float *A, int lda,
                              const float *B, int ldb, const float *beta,
                              float *C, int ldc)
{
    return typed_gemm("cublasSgemm", handle,
                      product_of(NUMBER_F32, m, n, k, A, lda, B, ldb, C, ldc),
                      transa, transb, alpha, beta);
}

cublasStatus_t cublasDgemm_v2(cublasHandle_t handle, cublasOperation_t transa,
                              cublasOperation_t transb, int m, int n, int k,
                              const double *alpha, const double *A, int lda,
                              const double *B, int ldb, const double *beta,
                              double *C, int ldc)
{
    return typed_gemm("cublasDgemm", handle,
                      product_of(NUMBER_F64, m, n, k, A, lda, B, ldb, C, ldc),
                      transa, transb, alpha, beta);
}

static Product batch_of(Product product, int64_t stride_a, int64_t stride_b,
                        int64_t stride_c, int n_batches)
{
    product.stride_a = stride_a;
    product.stride_b = stride_b;
    product.stride_c = stride_c;
    product.n_batches = n_batches;
    return product;
}

cublasStatus_t cublasSgemmStridedBatched(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
    int m, int n, int k, const float *alpha, const float *A, int lda,
    long long int strideA, const float *B, int ldb, long long int strideB,
    const float *beta, float *C, int ldc, long long int strideC, int batchCount)
{
    Product one = product_of(NUMBER_F32, m, n, k, A, lda, B, ldb, C, ldc);
    return typed_gemm("cublasSgemmStridedBatched", handle,
                      batch_of(one, strideA, strideB, strideC, batchCount),
                      transa, transb, alpha, beta);
}

cublasStatus_t
cublasDgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                          cublasOperation_t transb, int m, int n, int k,
                          const double *alpha, const double *A, int lda,
                          long long int strideA, const double *B, int ldb,
                          long long int strideB, const double *beta, double *C,
                          int ldc, long long int strideC, int batchCount)
{
    Product one = product_of(NUMBER_F64, m, n, k, A, lda, B, ldb, C, ldc);
    return typed_gemm("cublasDgemmStridedBatched", handle,
                      batch_of(one, strideA, strideB, strideC, batchCount),
                      transa, transb, alpha, beta);
}

/* A legal combination of cublasGemmEx.
 * source  cuBLAS Library User Guide, cublasGemmEx, table of types */
typedef struct Combination {
    cublasComputeType_t compute;
    cudaDataType input, output;
    Number scalar;
    Sum sum;
    Rate rate;
    Shorten shorten;
} Combination;

static const Combination combinations[] = {
    {CUBLAS_COMPUTE_16F, CUDA_R_16F, CUDA_R_16F, NUMBER_F16, SUM_F32,
     RATE_FLOAT16, SHORTEN_NOT},
    {CUBLAS_COMPUTE_32F, CUDA_R_16BF, CUDA_R_16BF, NUMBER_F32, SUM_F32,
     RATE_BFLOAT16, SHORTEN_NOT},
    {CUBLAS_COMPUTE_32F, CUDA_R_16F, CUDA_R_16F, NUMBER_F32, SUM_F32,
     RATE_FLOAT16, SHORTEN_NOT},
    {CUBLAS_COMPUTE_32F, CUDA_R_8I, CUDA_R_32F, NUMBER_F32, SUM_F32, RATE_INT8,
     SHORTEN_NOT},
    {CUBLAS_COMPUTE_32F, CUDA_R_16BF, CUDA_R_32F, NUMBER_F32, SUM_F32,
     RATE_BFLOAT16, SHORTEN_NOT},
    {CUBLAS_COMPUTE_32F, CUDA_R_16F, CUDA_R_32F, NUMBER_F32, SUM_F32,
     RATE_FLOAT16, SHORTEN_NOT},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, NUMBER_F32, SUM_F32,
     RATE_FLOAT32, SHORTEN_NOT},
    {CUBLAS_COMPUTE_32F_FAST_16F, CUDA_R_32F, CUDA_R_32F, NUMBER_F32, SUM_F32,
     RATE_FLOAT16, SHORTEN_F16},
    {CUBLAS_COMPUTE_32F_FAST_16BF, CUDA_R_32F, CUDA_R_32F, NUMBER_F32, SUM_F32,
     RATE_BFLOAT16, SHORTEN_BF16},
    {CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, CUDA_R_32F, NUMBER_F32, SUM_F32,
     RATE_TF32, SHORTEN_TF32},
    {CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, NUMBER_F64, SUM_F64,
     RATE_FLOAT64, SHORTEN_NOT},
    {CUBLAS_COMPUTE_32I, CUDA_R_8I, CUDA_R_32I, NUMBER_I32, SUM_I32, RATE_INT8,
     SHORTEN_NOT},
};

static Number number_of(cudaDataType type)
{
    switch (type) {
    case CUDA_R_16F:
        return NUMBER_F16;
    case CUDA_R_16BF:
        return NUMBER_BF16;
    case CUDA_R_64F:
        return NUMBER_F64;
    case CUDA_R_8I:
        return NUMBER_I8;
    case CUDA_R_32I:
        return NUMBER_I32;
    default:
        return NUMBER_F32;
    }
}

/* The entry for these types, or NULL. PEDANTIC is as its plain sister. */
static const Combination *find_combination(cudaDataType a, cudaDataType b,
                                           cudaDataType c,
                                           cublasComputeType_t compute)
{
    if (compute == CUBLAS_COMPUTE_16F_PEDANTIC ||
        compute == CUBLAS_COMPUTE_32F_PEDANTIC ||
        compute == CUBLAS_COMPUTE_64F_PEDANTIC ||
        compute == CUBLAS_COMPUTE_32I_PEDANTIC)
        compute = (cublasComputeType_t)((int)compute - 1);
    size_t n = sizeof(combinations) / sizeof(*combinations);
    for (size_t i = 0; i < n; i++) {
        const Combination *at = &combinations[i];
        if (at->compute == compute && at->input == a && at->input == b &&
            at->output == c)
            return at;
    }
    return NULL;
}

static void use_combination(const BlasCall *call, const Combination *types,
                            Product *product)
{
    bool is_old = call->device->model->cc_major < 8;
    bool has_unit =
        types->shorten == SHORTEN_NOT ||
        (types->shorten == SHORTEN_F16 && call->device->model->cc_major >= 7) ||
        !is_old;
    product->gemm.input = number_of(types->input);
    product->gemm.output = number_of(types->output);
    product->gemm.sum = types->sum;
    product->gemm.shorten = has_unit ? types->shorten : SHORTEN_NOT;
    product->scalar = types->scalar;
    product->rate = has_unit ? types->rate : RATE_FLOAT32;
    if (types->compute == CUBLAS_COMPUTE_32F && types->input == CUDA_R_32F)
        allow_tf32(call, product);
}

static cublasStatus_t gemm_ex(const char *name, cublasHandle_t handle,
                              Product product, cublasOperation_t transa,
                              cublasOperation_t transb, const void *alpha,
                              const void *beta, const cudaDataType types[3],
                              cublasComputeType_t compute)
{
    BlasCall call;
    const Gemm *gemm = &product.gemm;
    cublasStatus_t status = blas_enter(&call, name, handle);
    if (status == CUBLAS_STATUS_SUCCESS) {
        const Combination *known =
            find_combination(types[0], types[1], types[2], compute);
        if (known) {
            use_combination(&call, known, &product);
            status = push_product(&call, product, transa, transb, alpha, beta);
        } else {
            status = CUBLAS_STATUS_NOT_SUPPORTED;
        }
    }
    return blas_leave(&call, status,
                      GEMM_ARGUMENTS ", batches %d, types %d %d %d, compute %d",
                      (int)transa, (int)transb, (int)gemm->m, (int)gemm->n,
                      (int)gemm->k, log_pointer(LOG_TEXT, gemm->a),
                      (int)gemm->lda, log_pointer(LOG_TEXT, gemm->b),
                      (int)gemm->ldb, log_pointer(LOG_TEXT, gemm->c),
                      (int)gemm->ldc, product.n_batches, (int)types[0],
                      (int)types[1], (int)types[2], (int)compute);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k,
                            const void *alpha, const void *A,
                            cudaDataType Atype, int lda, const void *B,
                            cudaDataType Btype, int ldb, const void *beta,
                            void *C, cudaDataType Ctype, int ldc,
                            cublasComputeType_t computeType,
                            cublasGemmAlgo_t algo)
{
    (void)algo; // all give the same bits here
    return gemm_ex("cublasGemmEx", handle,
                   product_of(NUMBER_F32, m, n, k, A, lda, B, ldb, C, ldc),
                   transa, transb, alpha, beta,
                   (cudaDataType[]){Atype, Btype, Ctype}, computeType);
}

cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
    int m, int n, int k, const void *alpha, const void *A, cudaDataType Atype,
    int lda, long long int strideA, const void *B, cudaDataType Btype, int ldb,
    long long int strideB, const void *beta, void *C, cudaDataType Ctype,
    int ldc, long long int strideC, int batchCount,
    cublasComputeType_t computeType, cublasGemmAlgo_t algo)
{
    (void)algo;
    Product one = product_of(NUMBER_F32, m, n, k, A, lda, B, ldb, C, ldc);
    return gemm_ex("cublasGemmStridedBatchedEx", handle,
                   batch_of(one, strideA, strideB, strideC, batchCount), transa,
                   transb, alpha, beta, (cudaDataType[]){Atype, Btype, Ctype},
                   computeType);
}

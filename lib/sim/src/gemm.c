/* Matrix products on plain memory. */
#include "gemm.h" // defines: Gemm, Number, Sum
#include "half.h" // defines: half_to_float, round_to_tf32

#include <stdlib.h>
#include <string.h>

#ifdef CUDASIM_HAS_CBLAS
#include <cblas.h>
#endif

enum { ROW_BLOCK = 32, PLAIN_BELOW = 1 << 21 };

/* Twice the width where the processor has it: one number a lane, so the bits
 * stay. (Sanitizers cannot choose a function while the program loads.) */
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) &&          \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&                   \
    !defined(__SANITIZE_THREAD__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

size_t number_bytes(Number number)
{
    switch (number) {
    case NUMBER_F16:
    case NUMBER_BF16:
        return 2;
    case NUMBER_F32:
    case NUMBER_I32:
        return 4;
    case NUMBER_F64:
        return 8;
    case NUMBER_I8:
        return 1;
    }
    return 0;
}

double number_read(const void *data, Number number, int64_t index)
{
    switch (number) {
    case NUMBER_F16:
        return half_to_float(((const uint16_t *)data)[index]);
    case NUMBER_BF16:
        return bfloat_to_float(((const uint16_t *)data)[index]);
    case NUMBER_F32:
        return ((const float *)data)[index];
    case NUMBER_F64:
        return ((const double *)data)[index];
    case NUMBER_I8:
        return ((const int8_t *)data)[index];
    case NUMBER_I32:
        return ((const int32_t *)data)[index];
    }
    return 0;
}

static void number_write(void *data, Number number, int64_t index, double value)
{
    switch (number) {
    case NUMBER_F16:
        ((uint16_t *)data)[index] = float_to_half((float)value);
        break;
    case NUMBER_BF16:
        ((uint16_t *)data)[index] = float_to_bfloat((float)value);
        break;
    case NUMBER_F32:
        ((float *)data)[index] = (float)value;
        break;
    case NUMBER_F64:
        ((double *)data)[index] = value;
        break;
    case NUMBER_I8:
        ((int8_t *)data)[index] = (int8_t)value;
        break;
    case NUMBER_I32:
        ((int32_t *)data)[index] = (int32_t)value;
        break;
    }
}

static float read_float(const void *data, Number number, int64_t index,
                        Shorten shorten)
{
    float x = (float)number_read(data, number, index);
    switch (shorten) {
    case SHORTEN_NOT:
        return x;
    case SHORTEN_F16:
        return half_to_float(float_to_half(x));
    case SHORTEN_BF16:
        return bfloat_to_float(float_to_bfloat(x));
    case SHORTEN_TF32:
        return round_to_tf32(x);
    }
    return x;
}

static bool is_small(int64_t m, int64_t n, int64_t k)
{
    return (double)m * (double)n * (double)k < PLAIN_BELOW;
}

/* The host's BLAS does a large product of float32 or float64, in place. */
#ifdef CUDASIM_HAS_CBLAS
static bool blas_float(const Gemm *g, const float *a, const float *b, float *c)
{
    if (is_small(g->m, g->n, g->k))
        return false;
    cblas_sgemm(CblasColMajor, g->transpose_a ? CblasTrans : CblasNoTrans,
                g->transpose_b ? CblasTrans : CblasNoTrans, (int)g->m,
                (int)g->n, (int)g->k, (float)g->alpha, a, (int)g->lda, b,
                (int)g->ldb, (float)g->beta, c, (int)g->ldc);
    return true;
}

static bool blas_double(const Gemm *g, const double *a, const double *b,
                        double *c)
{
    if (is_small(g->m, g->n, g->k))
        return false;
    cblas_dgemm(CblasColMajor, g->transpose_a ? CblasTrans : CblasNoTrans,
                g->transpose_b ? CblasTrans : CblasNoTrans, (int)g->m,
                (int)g->n, (int)g->k, g->alpha, a, (int)g->lda, b, (int)g->ldb,
                g->beta, c, (int)g->ldc);
    return true;
}
#else
#define blas_float(g, a, b, c) ((void)(g), (void)is_small, false)
#define blas_double(g, a, b, c) ((void)(g), (void)is_small, false)
#endif

#define T float
#define NAME(f) f##_float
#define FROM(data, number, at, shorten) read_float(data, number, at, shorten)
#define SCALAR(x) (float)(x)
#define PLAIN NUMBER_F32
#define BLAS blas_float
#include "gemm_loop.h" // defines: run_float
#undef T
#undef NAME
#undef FROM
#undef SCALAR
#undef PLAIN
#undef BLAS

#define T double
#define NAME(f) f##_double
#define FROM(data, number, at, shorten)                                        \
    ((void)(shorten), number_read(data, number, at))
#define SCALAR(x) (x)
#define PLAIN NUMBER_F64
#define BLAS blas_double
#include "gemm_loop.h" // defines: run_double
#undef T
#undef NAME
#undef FROM
#undef SCALAR
#undef PLAIN
#undef BLAS

/* Whole numbers wrap, as on the GPU: unsigned in C. */
#define T uint32_t
#define NAME(f) f##_whole
#define FROM(data, number, at, shorten)                                        \
    ((void)(shorten), (uint32_t)(int32_t)number_read(data, number, at))
#define SCALAR(x) (uint32_t)(int32_t)(x)
#define PLAIN NUMBER_I32
#define BLAS(g, a, b, c) ((void)(g), false)
#define number_write(data, number, at, value)                                  \
    ((int32_t *)(data))[at] = (int32_t)(uint32_t)(value)
#include "gemm_loop.h" // defines: run_whole
#undef number_write

bool gemm_run(const Gemm *gemm)
{
    switch (gemm->sum) {
    case SUM_F32:
        return run_float(gemm);
    case SUM_F64:
        return run_double(gemm);
    case SUM_I32:
        return run_whole(gemm);
    }
    return false;
}

/* Products on the CPU: the plain loop, and BLAS for the large ones.
 *
 * The loop adds a[i][0]*b[0][j], a[i][1]*b[1][j], … to 0 in that order, for a
 * piece of a row of c at a time, in registers: same bits as one number at a
 * time, and it vectorises.
 */
#include "base/alloc.h"        // defines: mem_new, mem_free
#include "base/half.h"         // defines: float_of_float16, float16_of_float
#include "device/clock.h"      // defines: clock_charge_host
#include "ops/gemm.h"          // defines: Gemm, gemm_on_cpu, blas_sgemm
#include "ops/kernels/types.h" // defines: LOAD_f16, STORE_f16 and their like
#include <limits.h>
#include <string.h>

/* Products of fewer multiply-adds than this have the same bits everywhere. */
static const int64_t plain_limit = 1 << 21;

/* A matrix as rows of what it is computed in. */
#define UNPACK(d, acc)                                                         \
    static void unpack_##d(const Matrix *from, int64_t rows, int64_t columns,  \
                           acc *to)                                            \
    {                                                                          \
        const T_##d *x = from->data;                                           \
        int64_t down = from->transposed ? 1 : from->leading;                   \
        int64_t right = from->transposed ? from->leading : 1;                  \
        for (int64_t i = 0; i < rows; i++)                                     \
            for (int64_t j = 0; j < columns; j++)                              \
                to[i * columns + j] = (acc)LOAD_##d(x[i * down + j * right]);  \
    }

/* Twice the width where the processor has it: one number a lane, so the bits
 * stay. (Sanitizers cannot choose a function while the program loads.) */
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) &&          \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&                   \
    !defined(__SANITIZE_THREAD__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

enum { PIECE = 32 }; // of a row of c

/* c = a b over plain rows, k ascending. */
#define MULTIPLY(acc)                                                          \
    WIDE static void multiply_##acc(int64_t m, int64_t n, int64_t k,           \
                                    const acc *a, const acc *b, acc *c)        \
    {                                                                          \
        int64_t whole = n - n % PIECE;                                         \
        memset(c, 0, (size_t)(m * n) * sizeof *c);                             \
        for (int64_t i = 0; i < m; i++)                                        \
            for (int64_t left = 0; left < whole; left += PIECE) {              \
                acc piece[PIECE] = {0};                                        \
                for (int64_t p = 0; p < k; p++)                                \
                    for (int64_t j = 0; j < PIECE; j++)                        \
                        piece[j] += a[i * k + p] * b[p * n + left + j];        \
                memcpy(c + i * n + left, piece, sizeof piece);                 \
            }                                                                  \
        for (int64_t i = 0; i < m; i++)                                        \
            for (int64_t p = 0; p < k; p++)                                    \
                for (int64_t j = whole; j < n; j++)                            \
                    c[i * n + j] += a[i * k + p] * b[p * n + j];               \
    }

/* large: BLAS did it, from plain rows. */
#define GEMM(d, acc, large)                                                    \
    UNPACK(d, acc)                                                             \
    static void gemm_##d(const Gemm *g, acc *a, acc *b, acc *c)                \
    {                                                                          \
        unpack_##d(&g->a, g->m, g->k, a);                                      \
        unpack_##d(&g->b, g->k, g->n, b);                                      \
        Gemm rows = *g;                                                        \
        rows.a = (Matrix){NULL, false, g->k, 0};                               \
        rows.b = (Matrix){NULL, false, g->n, 0};                               \
        if (!(large))                                                          \
            multiply_##acc(rows.m, rows.n, rows.k, a, b, c);                   \
        T_##d *out = g->c.data;                                                \
        for (int64_t i = 0; i < g->m * g->n; i++)                              \
            out[i] = STORE_##d((C_##d)c[i]);                                   \
    }

static bool is_large(const Gemm *g)
{
    bool fits = g->m <= INT_MAX && g->n <= INT_MAX && g->k <= INT_MAX &&
                g->a.leading <= INT_MAX && g->b.leading <= INT_MAX;
    return fits &&
           (double)g->m * (double)g->n * (double)g->k >= (double)plain_limit;
}

MULTIPLY(float)
MULTIPLY(double)
MULTIPLY(uint64_t)
GEMM(f16, float, is_large(&rows) && blas_sgemm(&rows, a, b, c))
GEMM(bf16, float, is_large(&rows) && blas_sgemm(&rows, a, b, c))
GEMM(f32, float, false)
GEMM(f64, double, false)
GEMM(u8, uint64_t, false)
GEMM(i32, uint64_t, false)
GEMM(i64, uint64_t, false)

/* Large products of plain floats need no unpacking. */
static bool directly(const Gemm *g)
{
    if (!is_large(g))
        return false;
    if (g->dtype == FLOAT32)
        return blas_sgemm(g, g->a.data, g->b.data, g->c.data);
    return g->dtype == FLOAT64 &&
           blas_dgemm(g, g->a.data, g->b.data, g->c.data);
}

static void one(const Gemm *g, void *a, void *b, void *c)
{
    switch (g->dtype) {
    case FLOAT16:
        gemm_f16(g, a, b, c);
        break;
    case BFLOAT16:
        gemm_bf16(g, a, b, c);
        break;
    case FLOAT32:
        gemm_f32(g, a, b, c);
        break;
    case FLOAT64:
        gemm_f64(g, a, b, c);
        break;
    case UINT8:
        gemm_u8(g, a, b, c);
        break;
    case INT32:
        gemm_i32(g, a, b, c);
        break;
    case INT64:
        gemm_i64(g, a, b, c);
        break;
    case BOOL: // refused before
        break;
    }
}

/* Plain rows of a, b and c, in the widest of what is computed in. */
typedef struct Rows {
    void *memory; // of all three
    double *a, *b, *c;
} Rows;

static Status rows_ready(Rows *rows, const Gemm *g)
{
    if (rows->memory)
        return OK;
    size_t n_a = (size_t)(g->m * g->k), n_b = (size_t)(g->k * g->n);
    size_t n_c = (size_t)(g->m * g->n);
    double *memory = mem_new((n_a + n_b + n_c) * sizeof *memory);
    if (!memory)
        return status_peek();
    *rows = (Rows){memory, memory, memory + n_a, memory + n_a + n_b};
    return OK;
}

static void charge(const Gemm *g)
{
    double m = (double)g->m;
    double n = (double)g->n;
    double k = (double)g->k;
    double numbers = m * k + k * n + m * n;
    clock_charge_host(2 * m * n * k * (double)g->n_batches,
                      numbers * (double)dtype_bytes(g->dtype) *
                          (double)g->n_batches);
}

Status gemm_on_cpu(const Gemm *gemm)
{
    if (gemm->dtype == BOOL)
        return status_fail(ERR_RUNTIME,
                           "\"addmm_impl_cpu_\" not implemented for 'Bool'");
    Rows rows = {0};
    size_t n_one = dtype_bytes(gemm->dtype);
    Gemm now = *gemm;
    for (int64_t i = 0; i < gemm->n_batches; i++) {
        if (!directly(&now)) {
            TRY(rows_ready(&rows, gemm));
            one(&now, rows.a, rows.b, rows.c);
        }
        now.a.data = (char *)now.a.data + (size_t)now.a.batch_stride * n_one;
        now.b.data = (char *)now.b.data + (size_t)now.b.batch_stride * n_one;
        now.c.data = (char *)now.c.data + (size_t)now.c.batch_stride * n_one;
    }
    mem_free(rows.memory);
    charge(gemm);
    return OK;
}

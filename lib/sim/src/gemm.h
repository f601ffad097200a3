/* Matrix products on plain memory: what a cuBLAS gemm computes, with nothing
 * of the simulated machine. */
#ifndef SIM_GEMM_H
#define SIM_GEMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum Number {
    NUMBER_F16,
    NUMBER_BF16,
    NUMBER_F32,
    NUMBER_F64,
    NUMBER_I8,
    NUMBER_I32,
} Number;

size_t number_bytes(Number number);

/* In what the products are summed. */
typedef enum Sum { SUM_F32, SUM_F64, SUM_I32 } Sum;

/* How float32 inputs are shortened before they are multiplied. */
typedef enum Shorten {
    SHORTEN_NOT,
    SHORTEN_F16,
    SHORTEN_BF16,
    SHORTEN_TF32
} Shorten;

/* C = alpha op(A) op(B) + beta C, column-major; op(A) is m x k. With
 * beta == 0 C is not read. alpha and beta are exact in a double. */
typedef struct Gemm {
    int64_t m, n, k;
    bool transpose_a, transpose_b;
    const void *a, *b;
    void *c;
    int64_t lda, ldb, ldc;
    Number input, output;
    Sum sum;
    Shorten shorten;
    double alpha, beta;
} Gemm;

/* Below 2^21 multiply-adds the sum over k runs in ascending order, rounded at
 * every step (no fma), so that every machine gets the same bits; from there
 * on CBLAS does it, where there is one.
 *
 * errors  false: no memory for the packed inputs */
bool gemm_run(const Gemm *gemm);

/* A single number of that kind, as a double. */
double number_read(const void *data, Number number, int64_t index);

#endif

/* Vectors, and matrices times vectors, on plain memory: what cuBLAS's level 1
 * and 2 compute, with nothing of the simulated machine.
 *
 * Every sum ascends and is rounded at each step. A vector of n elements with
 * a negative step is walked from its far end, as in BLAS. */
#ifndef SIM_VECTOR_H
#define SIM_VECTOR_H

#include <stdbool.h>
#include <stdint.h>

typedef enum VectorKind {
    VECTOR_AXPY, // y += alpha x
    VECTOR_SCAL, // x *= alpha
    VECTOR_COPY, // y = x
    VECTOR_SWAP,
    VECTOR_DOT,  // sum of x y
    VECTOR_NRM2, // root of the sum of squares; does not overflow on the way
    VECTOR_ASUM, // sum of magnitudes
    VECTOR_AMAX, // index, from 1, of the first largest magnitude
    VECTOR_AMIN,
    VECTOR_GEMV, // y = alpha op(A) x + beta y
    VECTOR_GER,  // A += alpha x y'
} VectorKind;

/* One operation. n: elements; GEMV and GER: A is m x n, column-major. */
typedef struct VectorWork {
    VectorKind kind;
    bool is_double, transpose;
    int64_t m, n;
    void *a, *x, *y;
    int64_t lda, step_x, step_y;
    double alpha, beta;
    double result; // of DOT to AMIN
} VectorWork;

void vector_run(VectorWork *work);

#endif

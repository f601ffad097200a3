/* One product of matrices, on either side. Not for programs. */
#ifndef OPS_GEMM_H
#define OPS_GEMM_H

#include "array/dtype.h" // defines: DType
#include "base/status.h" // defines: Status
#include <stdbool.h>
#include <stdint.h>

/* A matrix as BLAS sees it: row r starts at data + r * leading; transposed, it
 * is column r that does. leading and batch_stride are in numbers. */
typedef struct Matrix {
    void *data;
    bool transposed;
    int64_t leading;
    int64_t batch_stride;
} Matrix;

/* c = a b, n_batches times; all in C order but for the flags, one dtype; m, n,
 * k > 0. */
typedef struct Gemm {
    DType dtype;
    int64_t m, n, k; // a (m, k), b (k, n), c (m, n)
    Matrix a, b, c;
    int64_t n_batches;
} Gemm;

/* errors  ERR_MEMORY; ERR_RUNTIME "\"addmm_impl_cpu_\" not implemented for
 *         'Bool'" */
Status gemm_on_cpu(const Gemm *gemm);
/* On the device's current stream. errors  ERR_CUDA "CUDA error:
 * CUBLAS_STATUS_… when calling `cublasSgemm( … )`"; ERR_RUNTIME
 * "\"addmm_cuda\" not implemented for 'Long'"; "at::cuda::blas::gemm argument
 * m must be non-negative and less than 2147483647 but got …" */
Status gemm_on_cuda(int device, const Gemm *gemm);

/* The host's own BLAS: false when there is none (then nothing was done).
 * leading dims and sizes fit in an int; row-major. */
bool blas_sgemm(const Gemm *gemm, const float *a, const float *b, float *c);
bool blas_dgemm(const Gemm *gemm, const double *a, const double *b, double *c);

#endif

/* There is no CBLAS here: the plain loop does every product. */
#include "ops/gemm.h" // defines: Gemm, blas_sgemm, blas_dgemm

bool blas_sgemm(const Gemm *gemm, const float *a, const float *b, float *c)
{
    (void)gemm, (void)a, (void)b, (void)c;
    return false;
}

bool blas_dgemm(const Gemm *gemm, const double *a, const double *b, double *c)
{
    (void)gemm, (void)a, (void)b, (void)c;
    return false;
}

/* Large products go to the host's CBLAS. */
#include "ops/gemm.h" // defines: Gemm, blas_sgemm, blas_dgemm
#include <cblas.h>

static CBLAS_TRANSPOSE flag(const Matrix *matrix)
{
    return matrix->transposed ? CblasTrans : CblasNoTrans;
}

bool blas_sgemm(const Gemm *g, const float *a, const float *b, float *c)
{
    cblas_sgemm(CblasRowMajor, flag(&g->a), flag(&g->b), (int)g->m, (int)g->n,
                (int)g->k, 1, a, (int)g->a.leading, b, (int)g->b.leading, 0, c,
                (int)g->c.leading);
    return true;
}

bool blas_dgemm(const Gemm *g, const double *a, const double *b, double *c)
{
    cblas_dgemm(CblasRowMajor, flag(&g->a), flag(&g->b), (int)g->m, (int)g->n,
                (int)g->k, 1, a, (int)g->a.leading, b, (int)g->b.leading, 0, c,
                (int)g->c.leading);
    return true;
}

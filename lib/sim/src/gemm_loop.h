/* The loops of gemm.c for one type of sum: included once for each T, with
 * NAME(f) making names apart, FROM reading an input as T, SCALAR making a T of
 * alpha or beta, and BLAS doing the work if it wants to. */

/* op(X), packed: column-major, rows x columns, nothing between columns. */
static void NAME(pack)(T *out, const void *data, Number number, bool transpose,
                       int64_t rows, int64_t columns, int64_t ld,
                       Shorten shorten)
{
    for (int64_t j = 0; j < columns; j++) {
        for (int64_t i = 0; i < rows; i++) {
            int64_t at = transpose ? j + i * ld : i + j * ld;
            out[i + j * rows] = FROM(data, number, at, shorten);
        }
    }
}

/* sum(m x n) = a(m x k) b(k x n), all packed. Blocks of rows keep the sums
 * in cache; for each element k ascends. */
static void NAME(multiply)(T *sum, const T *a, const T *b, int64_t m, int64_t n,
                           int64_t k)
{
    memset(sum, 0, (size_t)(m * n) * sizeof(T));
    for (int64_t top = 0; top < m; top += ROW_BLOCK) {
        int64_t rows = m - top < ROW_BLOCK ? m - top : ROW_BLOCK;
        for (int64_t j = 0; j < n; j++) {
            T *column = sum + top + j * m;
            for (int64_t l = 0; l < k; l++) {
                const T *left = a + top + l * m;
                T right = b[l + j * k];
                for (int64_t i = 0; i < rows; i++)
                    column[i] += left[i] * right;
            }
        }
    }
}

static void NAME(store)(const Gemm *gemm, const T *sum)
{
    T alpha = SCALAR(gemm->alpha), beta = SCALAR(gemm->beta);
    for (int64_t j = 0; j < gemm->n; j++) {
        for (int64_t i = 0; i < gemm->m; i++) {
            int64_t at = i + j * gemm->ldc;
            T value = alpha * sum[i + j * gemm->m];
            if (gemm->beta != 0)
                value += beta * FROM(gemm->c, gemm->output, at, SHORTEN_NOT);
            number_write(gemm->c, gemm->output, at, (double)value);
        }
    }
}

static bool NAME(run)(const Gemm *gemm)
{
    int64_t m = gemm->m, n = gemm->n, k = gemm->k;
    size_t count = (size_t)(m * k + k * n + m * n);
    T *a = malloc((count ? count : 1) * sizeof(T));
    if (!a)
        return false;
    T *b = a + m * k, *sum = b + k * n;
    NAME(pack)
    (a, gemm->a, gemm->input, gemm->transpose_a, m, k, gemm->lda,
     gemm->shorten);
    NAME(pack)
    (b, gemm->b, gemm->input, gemm->transpose_b, k, n, gemm->ldb,
     gemm->shorten);
    if (!BLAS(sum, a, b, m, n, k))
        NAME(multiply)(sum, a, b, m, n, k);
    NAME(store)(gemm, sum);
    free(a);
    return true;
}

/* The loops of gemm.c for one type of sum: included once for each T, with
 * NAME(f) making names apart, FROM reading an input as T, SCALAR making a T of
 * alpha or beta, PLAIN being the kind of number that T is, and BLAS doing the
 * work on such numbers if it wants to. */

/* op(X), packed: column-major, rows x columns, nothing between columns. */
static void NAME(pack)(T *out, const void *data, Number number, bool transpose,
                       int64_t rows, int64_t columns, int64_t ld,
                       Shorten shorten)
{
    int64_t down = transpose ? ld : 1, right = transpose ? 1 : ld;
    if (number == PLAIN && shorten == SHORTEN_NOT) {
        const T *from = data;
        for (int64_t j = 0; j < columns; j++)
            for (int64_t i = 0; i < rows; i++)
                out[i + j * rows] = from[i * down + j * right];
        return;
    }
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++)
            out[i + j * rows] =
                FROM(data, number, i * down + j * right, shorten);
}

/* sum(m x n) = a(m x k) b(k x n), all packed. A block of rows is summed in
 * registers; for each element k ascends. */
WIDE static void NAME(multiply)(T *sum, const T *a, const T *b, int64_t m,
                                int64_t n, int64_t k)
{
    memset(sum, 0, (size_t)(m * n) * sizeof(T));
    int64_t whole = m - m % ROW_BLOCK;
    for (int64_t top = 0; top < whole; top += ROW_BLOCK) {
        for (int64_t j = 0; j < n; j++) {
            T block[ROW_BLOCK] = {0};
            for (int64_t l = 0; l < k; l++)
                for (int64_t i = 0; i < ROW_BLOCK; i++)
                    block[i] += a[top + i + l * m] * b[l + j * k];
            memcpy(sum + top + j * m, block, sizeof(block));
        }
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t l = 0; l < k; l++)
            for (int64_t i = whole; i < m; i++)
                sum[i + j * m] += a[i + l * m] * b[l + j * k];
}

static void NAME(store)(const Gemm *gemm, const T *sum)
{
    T alpha = SCALAR(gemm->alpha), beta = SCALAR(gemm->beta);
    if (gemm->output == PLAIN && gemm->beta == 0) {
        for (int64_t j = 0; j < gemm->n; j++)
            for (int64_t i = 0; i < gemm->m; i++)
                ((T *)gemm->c)[i + j * gemm->ldc] =
                    alpha * sum[i + j * gemm->m];
        return;
    }
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
    bool plain = gemm->input == PLAIN && gemm->output == PLAIN &&
                 gemm->shorten == SHORTEN_NOT;
    if (plain && BLAS(gemm, gemm->a, gemm->b, gemm->c))
        return true;
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
    Gemm rows = {.m = m, .n = n, .k = k, .lda = m, .ldb = k, .ldc = m};
    rows.alpha = 1;
    if (!BLAS(&rows, a, b, sum))
        NAME(multiply)(sum, a, b, m, n, k);
    NAME(store)(gemm, sum);
    free(a);
    return true;
}

/* The loops of vector.c for one type T: included once for each, with NAME(f)
 * making names apart and ABS(x). */

static T *NAME(first)(void *data, int64_t n, int64_t step)
{
    return (T *)data + (step < 0 && n > 0 ? (1 - n) * step : 0);
}

static T NAME(dot)(const T *x, int64_t step_x, const T *y, int64_t step_y,
                   int64_t n)
{
    T sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i * step_x] * y[i * step_y];
    return sum;
}

/* Scaled by the largest magnitude, so that no square overflows. */
static double NAME(norm)(const T *x, int64_t step, int64_t n)
{
    double largest = 0, sum = 0;
    for (int64_t i = 0; i < n; i++) {
        double size = ABS((double)x[i * step]);
        if (size != size)
            return size;
        largest = size > largest ? size : largest;
    }
    if (largest == 0 || largest * 2 == largest) // zero or infinite
        return largest;
    for (int64_t i = 0; i < n; i++) {
        double part = (double)x[i * step] / largest;
        sum += part * part;
    }
    return largest * sqrt(sum);
}

static int64_t NAME(extreme)(const T *x, int64_t step, int64_t n, bool largest)
{
    int64_t at = 0;
    for (int64_t i = 1; i < n; i++) {
        T here = ABS(x[i * step]), best = ABS(x[at * step]);
        if (largest ? here > best : here < best)
            at = i;
    }
    return at + 1;
}

static void NAME(gemv)(const VectorWork *work)
{
    int64_t n_out = work->transpose ? work->n : work->m;
    int64_t n_in = work->transpose ? work->m : work->n;
    const T *a = work->a;
    const T *x = NAME(first)(work->x, n_in, work->step_x);
    T *y = NAME(first)(work->y, n_out, work->step_y);
    for (int64_t i = 0; i < n_out; i++) {
        T sum = 0;
        if (work->alpha != 0)
            sum = work->transpose
                      ? NAME(dot)(a + i * work->lda, 1, x, work->step_x, n_in)
                      : NAME(dot)(a + i, work->lda, x, work->step_x, n_in);
        T value = (T)work->alpha * sum;
        if (work->beta != 0)
            value += (T)work->beta * y[i * work->step_y];
        y[i * work->step_y] = value;
    }
}

static void NAME(ger)(const VectorWork *work)
{
    const T *x = NAME(first)(work->x, work->m, work->step_x);
    const T *y = NAME(first)(work->y, work->n, work->step_y);
    T *a = work->a;
    for (int64_t j = 0; j < work->n; j++) {
        T factor = (T)work->alpha * y[j * work->step_y];
        for (int64_t i = 0; i < work->m; i++)
            a[i + j * work->lda] += x[i * work->step_x] * factor;
    }
}

static void NAME(swap)(T *x, int64_t step_x, T *y, int64_t step_y, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        T kept = x[i * step_x];
        x[i * step_x] = y[i * step_y];
        y[i * step_y] = kept;
    }
}

static void NAME(run)(VectorWork *work)
{
    int64_t n = work->n, sx = work->step_x, sy = work->step_y;
    if (work->kind == VECTOR_GEMV) {
        NAME(gemv)(work);
        return;
    }
    if (work->kind == VECTOR_GER) {
        NAME(ger)(work);
        return;
    }
    T *x = NAME(first)(work->x, n, sx);
    T *y = NAME(first)(work->y, n, sy);
    T alpha = (T)work->alpha;
    switch (work->kind) {
    case VECTOR_AXPY:
        for (int64_t i = 0; i < n; i++)
            y[i * sy] += alpha * x[i * sx];
        break;
    case VECTOR_SCAL:
        for (int64_t i = 0; i < n; i++)
            x[i * sx] *= alpha;
        break;
    case VECTOR_COPY:
        for (int64_t i = 0; i < n; i++)
            y[i * sy] = x[i * sx];
        break;
    case VECTOR_SWAP:
        NAME(swap)(x, sx, y, sy, n);
        break;
    case VECTOR_DOT:
        work->result = (double)NAME(dot)(x, sx, y, sy, n);
        break;
    case VECTOR_NRM2:
        work->result = NAME(norm)(x, sx, n);
        break;
    case VECTOR_ASUM: {
        T sum = 0;
        for (int64_t i = 0; i < n; i++)
            sum += ABS(x[i * sx]);
        work->result = (double)sum;
        break;
    }
    case VECTOR_AMAX:
    case VECTOR_AMIN:
        work->result =
            (double)NAME(extreme)(x, sx, n, work->kind == VECTOR_AMAX);
        break;
    default:
        break;
    }
}

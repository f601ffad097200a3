/* Softmax kernels: one thread per row of scores, x (outer, n, inner). */
#ifndef OPS_KERNELS_SOFTMAX_K_H
#define OPS_KERNELS_SOFTMAX_K_H

#include "ops/kernels/arithmetic.h" // defines: do_exp_f32 and its like
#include "ops/kernels/words.h"      // defines: KERNEL_ON, COST

/* Forward: x the scores, y unused. Backward: x the gradient that came back, y
 * what went out before. */
typedef struct SoftmaxArgs {
    const void *x;
    const void *y;
    void *out;
    int64_t outer, n, inner;
} SoftmaxArgs;

#define SOFTMAX_ROW(d)                                                         \
    int64_t start = t / k.inner * k.n * k.inner + t % k.inner;                 \
    const T_##d *x = (const T_##d *)k.x + start;                               \
    T_##d *out = (T_##d *)k.out + start;

/* The largest score, and the sum of the others' exponentials below it. */
#define SOFTMAX_SUM(d)                                                         \
    C_##d top = LOAD_##d(x[0]);                                                \
    for (int64_t i = 1; i < k.n; i++)                                          \
        top = do_maximum_##d(top, LOAD_##d(x[i * k.inner]));                   \
    C_##d sum = 0;                                                             \
    for (int64_t i = 0; i < k.n; i++)                                          \
        sum += do_exp_##d(LOAD_##d(x[i * k.inner]) - top);

#define SOFTMAX_COST(d, flops, arrays)                                         \
    COST(flops *(double)(k.outer * k.n * k.inner),                             \
         arrays * sizeof(T_##d) * (double)(k.outer * k.n * k.inner))

#define SOFTMAX_KERNELS(d)                                                     \
    KERNEL_ON(softmax_##d, SoftmaxArgs, 3, SOFTMAX_COST(d, 5.0, 2.0))          \
    {                                                                          \
        FOR_EACH (t, k.outer * k.inner) {                                      \
            SOFTMAX_ROW(d)                                                     \
            SOFTMAX_SUM(d)                                                     \
            for (int64_t i = 0; i < k.n * k.inner; i += k.inner)               \
                out[i] = STORE_##d(do_exp_##d(LOAD_##d(x[i]) - top) / sum);    \
        }                                                                      \
    }                                                                          \
    KERNEL_ON(log_softmax_##d, SoftmaxArgs, 3, SOFTMAX_COST(d, 4.0, 2.0))      \
    {                                                                          \
        FOR_EACH (t, k.outer * k.inner) {                                      \
            SOFTMAX_ROW(d)                                                     \
            SOFTMAX_SUM(d)                                                     \
            C_##d log_sum = do_log_##d(sum);                                   \
            for (int64_t i = 0; i < k.n * k.inner; i += k.inner)               \
                out[i] = STORE_##d(LOAD_##d(x[i]) - top - log_sum);            \
        }                                                                      \
    }                                                                          \
    KERNEL_ON(softmax_backward_##d, SoftmaxArgs, 3, SOFTMAX_COST(d, 4.0, 3.0)) \
    {                                                                          \
        FOR_EACH (t, k.outer * k.inner) {                                      \
            SOFTMAX_ROW(d)                                                     \
            const T_##d *y = (const T_##d *)k.y + start;                       \
            C_##d sum = 0;                                                     \
            for (int64_t i = 0; i < k.n * k.inner; i += k.inner)               \
                sum += LOAD_##d(x[i]) * LOAD_##d(y[i]);                        \
            for (int64_t i = 0; i < k.n * k.inner; i += k.inner)               \
                out[i] = STORE_##d((LOAD_##d(x[i]) - sum) * LOAD_##d(y[i]));   \
        }                                                                      \
    }                                                                          \
    KERNEL_ON(log_softmax_backward_##d, SoftmaxArgs, 3,                        \
              SOFTMAX_COST(d, 4.0, 3.0))                                       \
    {                                                                          \
        FOR_EACH (t, k.outer * k.inner) {                                      \
            SOFTMAX_ROW(d)                                                     \
            const T_##d *y = (const T_##d *)k.y + start;                       \
            C_##d sum = 0;                                                     \
            for (int64_t i = 0; i < k.n * k.inner; i += k.inner)               \
                sum += LOAD_##d(x[i]);                                         \
            for (int64_t i = 0; i < k.n * k.inner; i += k.inner)               \
                out[i] = STORE_##d(LOAD_##d(x[i]) -                            \
                                   do_exp_##d(LOAD_##d(y[i])) * sum);          \
        }                                                                      \
    }

SOFTMAX_KERNELS(f16)
SOFTMAX_KERNELS(bf16)
SOFTMAX_KERNELS(f32)
SOFTMAX_KERNELS(f64)

#endif

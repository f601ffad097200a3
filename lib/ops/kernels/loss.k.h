/* Negative log likelihood: one thread a sample, log_prob (n, n_classes). */
#ifndef OPS_KERNELS_LOSS_K_H
#define OPS_KERNELS_LOSS_K_H

#include "ops/kernels/types.h" // defines: T_f32 and its like
#include "ops/kernels/words.h" // defines: KERNEL_ON, COST

typedef struct NllArgs {
    const void *log_prob;
    const int64_t *target;
    const void *weight; // NULL: all 1
    void *loss;
    void *mass;
    int64_t n, n_classes, ignored;
    double smoothing;
} NllArgs;

/* grad: one number a sample (grad_step 1) or one for all (0). */
typedef struct NllBackwardArgs {
    const void *grad;
    const void *total; // NULL: nothing to divide by
    const int64_t *target;
    const void *weight; // NULL: all 1
    void *out;
    int64_t n, n_classes, ignored, grad_step;
    double smoothing;
} NllBackwardArgs;

#define NLL_COST(d, per_number)                                                \
    COST(per_number *(double)(k.n * k.n_classes),                              \
         sizeof(T_##d) * (double)(k.n * k.n_classes) + 24.0 * (double)k.n)

#define NLL_WEIGHT(d, c)                                                       \
    (k.weight ? LOAD_##d(((const T_##d *)k.weight)[c]) : (C_##d)1)

#define NLL_KERNELS(d)                                                         \
    KERNEL_ON(nll_##d, NllArgs, 5, NLL_COST(d, 2.0))                           \
    {                                                                          \
        const T_##d *log_prob = (const T_##d *)k.log_prob;                     \
        T_##d *loss = (T_##d *)k.loss, *mass = (T_##d *)k.mass;                \
        const int64_t n_classes = k.n_classes;                                 \
        const C_##d s = (C_##d)k.smoothing;                                    \
        FOR_EACH (i, k.n) {                                                    \
            const int64_t t = k.target[i];                                     \
            loss[i] = mass[i] = STORE_##d((C_##d)0);                           \
            if (t == k.ignored)                                                \
                continue;                                                      \
            KERNEL_ASSERT(i, t >= 0 && t < n_classes);                         \
            const T_##d *row = log_prob + i * n_classes;                       \
            C_##d w = NLL_WEIGHT(d, t), smooth = 0;                            \
            for (int64_t c = 0; s != 0 && c < n_classes; c++)                  \
                smooth -= NLL_WEIGHT(d, c) * LOAD_##d(row[c]);                 \
            loss[i] = STORE_##d((1 - s) * (-w * LOAD_##d(row[t])) +            \
                                s / (C_##d)n_classes * smooth);                \
            mass[i] = STORE_##d(w);                                            \
        }                                                                      \
    }                                                                          \
    KERNEL_ON(nll_backward_##d, NllBackwardArgs, 5, NLL_COST(d, 3.0))          \
    {                                                                          \
        T_##d *out = (T_##d *)k.out;                                           \
        const C_##d s = (C_##d)k.smoothing;                                    \
        FOR_EACH (i, k.n) {                                                    \
            const int64_t t = k.target[i];                                     \
            T_##d *row = out + i * k.n_classes;                                \
            C_##d g = LOAD_##d(((const T_##d *)k.grad)[i * k.grad_step]);      \
            if (k.total)                                                       \
                g /= LOAD_##d(*(const T_##d *)k.total);                        \
            for (int64_t c = 0; c < k.n_classes; c++) {                        \
                bool counts = t != k.ignored && (c == t || s != 0);            \
                C_##d w = NLL_WEIGHT(d, c);                                    \
                C_##d part = s / (C_##d)k.n_classes * w;                       \
                if (c == t)                                                    \
                    part += (1 - s) * w;                                       \
                row[c] = STORE_##d(counts ? -part * g : 0);                    \
            }                                                                  \
        }                                                                      \
    }

NLL_KERNELS(f16)
NLL_KERNELS(bf16)
NLL_KERNELS(f32)
NLL_KERNELS(f64)

#endif

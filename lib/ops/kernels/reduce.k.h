/* Kernels that make one number from many along a dim.
 *
 * x is (outer, n, inner) in C order. A level leaves (outer, groups, inner):
 * group g takes x[g], x[g + groups], x[g + 2*groups], … in that order. Seen
 * flat, an outer block is n*inner numbers dealt to `groups*inner` lanes in
 * turn, so neighbouring lanes read neighbouring numbers.
 */
#ifndef OPS_KERNELS_REDUCE_K_H
#define OPS_KERNELS_REDUCE_K_H

#include "ops/kernels/types.h" // defines: T_f32, LOAD_f32 and their like
#include "ops/kernels/words.h" // defines: KERNEL_ON, KERNEL_LANES

typedef struct SumArgs {
    const void *x;
    void *out;
    int64_t outer, n, inner, groups;
} SumArgs;

/* index: (outer, n, inner), where along the dim of `x` the candidates are; NULL
 * at the first level. size: of that dim in x. */
typedef struct ArgmaxArgs {
    const void *x;
    const int64_t *index;
    int64_t *out;
    int64_t outer, n, inner, groups, size;
} ArgmaxArgs;

/* How many threads share a level's lanes. */
#define SUM_THREADS(outer, lanes)                                              \
    ((outer) * (((lanes) + KERNEL_LANES - 1) / KERNEL_LANES))

/* d: the input's dtype; a: what it is added in. */
#define ADD_TO_f32(sum, x) ((sum) + (x))
#define ADD_TO_f64(sum, x) ((sum) + (x))
#define ADD_TO_i64(sum, x) ((int64_t)((uint64_t)(sum) + (uint64_t)(x)))

#define SUM_KERNEL(d, a)                                                       \
    KERNEL_ON(                                                                 \
        sum_##d, SumArgs, 2,                                                   \
        COST(k.outer *k.n *k.inner,                                            \
             sizeof(T_##d) * (double)(k.outer * k.n * k.inner) +               \
                 sizeof(T_##a) * (double)(k.outer * k.groups * k.inner)))      \
    {                                                                          \
        const T_##d *x = (const T_##d *)k.x;                                   \
        T_##a *out = (T_##a *)k.out;                                           \
        int64_t lanes = k.groups * k.inner;                                    \
        int64_t count = k.n * k.inner;                                         \
        int64_t parts = (lanes + KERNEL_LANES - 1) / KERNEL_LANES;             \
        FOR_EACH (t, k.outer * parts) {                                        \
            int64_t first = t % parts * KERNEL_LANES;                          \
            int64_t rest = lanes - first;                                      \
            int width = rest < KERNEL_LANES ? (int)rest : KERNEL_LANES;        \
            const T_##d *from = x + t / parts * count;                         \
            T_##a sums[KERNEL_LANES] = {0};                                    \
            int64_t at = first;                                                \
            KERNEL_UNROLL                                                      \
            for (; at + KERNEL_LANES <= count && width == KERNEL_LANES;        \
                 at += lanes)                                                  \
                for (int l = 0; l < KERNEL_LANES; l++)                         \
                    sums[l] = ADD_TO_##a(sums[l], LOAD_##d(from[at + l]));     \
            for (; at < count; at += lanes)                                    \
                for (int l = 0; l < width && at + l < count; l++)              \
                    sums[l] = ADD_TO_##a(sums[l], LOAD_##d(from[at + l]));     \
            for (int l = 0; l < width; l++)                                    \
                out[t / parts * lanes + first + l] = sums[l];                  \
        }                                                                      \
    }

#define ARGMAX_KERNEL(d)                                                       \
    KERNEL_ON(                                                                 \
        argmax_##d, ArgmaxArgs, 3,                                             \
        COST(k.outer *k.n *k.inner, (sizeof(T_##d) + (k.index ? 8.0 : 0.0)) *  \
                                        (double)(k.outer * k.n * k.inner)))    \
    {                                                                          \
        const T_##d *x = (const T_##d *)k.x;                                   \
        int64_t lanes = k.groups * k.inner;                                    \
        int64_t count = k.n * k.inner;                                         \
        FOR_EACH (t, k.outer * lanes) {                                        \
            int64_t o = t / lanes;                                             \
            int64_t lane = t % lanes;                                          \
            const T_##d *from = x + o * k.size * k.inner + lane % k.inner;     \
            int64_t best = -1;                                                 \
            C_##d top = 0;                                                     \
            for (int64_t at = lane; at < count; at += lanes) {                 \
                int64_t index =                                                \
                    k.index ? k.index[o * count + at] : at / k.inner;          \
                C_##d value = LOAD_##d(from[index * k.inner]);                 \
                bool equal = value == top || (value != value && top != top);   \
                bool more = value > top || (value != value && top == top);     \
                if (best < 0 || more || (equal && index < best)) {             \
                    best = index;                                              \
                    top = value;                                               \
                }                                                              \
            }                                                                  \
            k.out[t] = best;                                                   \
        }                                                                      \
    }

SUM_KERNEL(b8, i64)
SUM_KERNEL(u8, i64)
SUM_KERNEL(i32, i64)
SUM_KERNEL(i64, i64)
SUM_KERNEL(f16, f32)
SUM_KERNEL(bf16, f32)
SUM_KERNEL(f32, f32)
SUM_KERNEL(f64, f64)

ARGMAX_KERNEL(b8)
ARGMAX_KERNEL(u8)
ARGMAX_KERNEL(i32)
ARGMAX_KERNEL(i64)
ARGMAX_KERNEL(f16)
ARGMAX_KERNEL(bf16)
ARGMAX_KERNEL(f32)
ARGMAX_KERNEL(f64)

#endif

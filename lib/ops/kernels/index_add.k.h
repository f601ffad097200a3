/* The backward of picking by index: each slice is added where it came from. An
 * index may come twice; every element of the result adds its own slices up, in
 * the index's order, so the sum is the same on all targets. */
#ifndef OPS_KERNELS_INDEX_ADD_K_H
#define OPS_KERNELS_INDEX_ADD_K_H

#include "ops/kernels/types.h" // defines: T_f32 and its like
#include "ops/kernels/words.h" // defines: KERNEL_ON, COST

/* from (outer, n_index, inner), to (outer, n, inner) */
typedef struct IndexAddArgs {
    const void *from;
    const int64_t *index;
    void *to;
    int64_t outer, n, inner, n_index;
} IndexAddArgs;

#define INDEX_ADD_KERNEL(d)                                                    \
    KERNEL_ON(index_add_##d, IndexAddArgs, 3,                                  \
              COST((double)(k.outer * k.n * k.inner) * (double)k.n_index,      \
                   8.0 * (double)(k.outer * k.n * k.inner)))                   \
    {                                                                          \
        const T_##d *from = (const T_##d *)k.from;                             \
        T_##d *to = (T_##d *)k.to;                                             \
        FOR_EACH (i, k.outer * k.n * k.inner) {                                \
            int64_t column = i % k.inner, row = i / k.inner;                   \
            int64_t first = row / k.n * k.n_index;                             \
            C_##d sum = LOAD_##d(to[i]);                                       \
            for (int64_t j = 0; j < k.n_index; j++)                            \
                if (k.index[j] == row % k.n)                                   \
                    sum += LOAD_##d(from[(first + j) * k.inner + column]);     \
            to[i] = STORE_##d(sum);                                            \
        }                                                                      \
    }

INDEX_ADD_KERNEL(f16)
INDEX_ADD_KERNEL(bf16)
INDEX_ADD_KERNEL(f32)
INDEX_ADD_KERNEL(f64)

#endif

/* Kernels that move numbers: casts, copies, fills, selections. Where only the
 * width matters, one kernel serves all dtypes of that width. */
#ifndef OPS_KERNELS_COPY_K_H
#define OPS_KERNELS_COPY_K_H

#include "ops/kernels/convert.h" // defines: CONVERT
#include "ops/kernels/pack.h"    // defines: FLAT_MAP1
#include "ops/kernels/walk.h"    // defines: Walk, FOR_EACH_PLACE
#include "ops/kernels/words.h"   // defines: KERNEL_ON, COST

/* walk: out, x */
typedef struct CopyArgs {
    const void *x;
    void *out;
    Walk walk;
} CopyArgs;

/* walk: out. bits: the number, in its low bits. */
typedef struct FillArgs {
    void *out;
    Walk walk;
    uint64_t bits;
} FillArgs;

/* walk: out, a, b, condition */
typedef struct WhereArgs {
    const void *a;
    const void *b;
    const uint8_t *condition;
    void *out;
    Walk walk;
} WhereArgs;

/* x (outer, n, inner), index (n_index) or, for take, (outer, inner) */
typedef struct SelectArgs {
    const void *x;
    const int64_t *index;
    void *out;
    int64_t outer, n, inner, n_index;
} SelectArgs;

/* out[i] = start + step * i */
typedef struct RangeArgs {
    void *out;
    int64_t n;
    double start, step;
    int64_t integer_start, integer_step;
} RangeArgs;

#define CAST_KERNEL(from, to)                                                  \
    KERNEL_ON(cast_##from##_##to, CopyArgs, 2,                                 \
              COST(0, (double)(sizeof(T_##from) + sizeof(T_##to)) *            \
                          (double)k.walk.n))                                   \
    {                                                                          \
        const T_##from *in = (const T_##from *)k.x;                            \
        T_##to *out = (T_##to *)k.out;                                         \
        if (walk_is_flat(&k.walk, 2)) {                                        \
            FLAT_MAP1(k.walk.n, T_##from, in, T_##to, out, x,                  \
                      CONVERT(from, to, x));                                   \
            return;                                                            \
        }                                                                      \
        FOR_EACH_PLACE(o, i, unused_y, unused_z, k.walk)                       \
        {                                                                      \
            out[o] = CONVERT(from, to, in[i]);                                 \
        }                                                                      \
    }

#define WIDTH_KERNELS(w)                                                       \
    KERNEL_ON(copy_##w, CopyArgs, 2, COST(0, w / 4.0 * (double)k.walk.n))      \
    {                                                                          \
        const uint##w##_t *in = (const uint##w##_t *)k.x;                      \
        uint##w##_t *out = (uint##w##_t *)k.out;                               \
        FOR_EACH_PLACE(o, i, unused_y, unused_z, k.walk)                       \
        {                                                                      \
            out[o] = in[i];                                                    \
        }                                                                      \
    }                                                                          \
    KERNEL_ON(fill_##w, FillArgs, 1, COST(0, w / 8.0 * (double)k.walk.n))      \
    {                                                                          \
        uint##w##_t *out = (uint##w##_t *)k.out;                               \
        FOR_EACH_PLACE(o, unused_x, unused_y, unused_z, k.walk)                \
        {                                                                      \
            out[o] = (uint##w##_t)k.bits;                                      \
        }                                                                      \
    }                                                                          \
    KERNEL_ON(where_##w, WhereArgs, 4,                                         \
              COST(0, (1 + w / 8.0 * 2) * (double)k.walk.n))                   \
    {                                                                          \
        const uint##w##_t *a = (const uint##w##_t *)k.a;                       \
        const uint##w##_t *b = (const uint##w##_t *)k.b;                       \
        uint##w##_t *out = (uint##w##_t *)k.out;                               \
        FOR_EACH_PLACE(o, x, y, z, k.walk)                                     \
        {                                                                      \
            out[o] = k.condition[z] ? a[x] : b[y];                             \
        }                                                                      \
    }                                                                          \
    KERNEL_ON(select_##w, SelectArgs, 3,                                       \
              COST(0, w / 4.0 * (double)(k.outer * k.n_index * k.inner)))      \
    {                                                                          \
        const uint##w##_t *x = (const uint##w##_t *)k.x;                       \
        uint##w##_t *out = (uint##w##_t *)k.out;                               \
        FOR_EACH (i, k.outer * k.n_index * k.inner) {                          \
            int64_t row = i / k.inner;                                         \
            int64_t index = k.index[row % k.n_index];                          \
            KERNEL_ASSERT(i, index >= 0 && index < k.n);                       \
            int64_t from = row / k.n_index * k.n + index;                      \
            out[i] = x[from * k.inner + i % k.inner];                          \
        }                                                                      \
    }                                                                          \
    KERNEL_ON(take_##w, SelectArgs, 3,                                         \
              COST(0, (8 + w / 4.0) * (double)(k.outer * k.inner)))            \
    {                                                                          \
        const uint##w##_t *x = (const uint##w##_t *)k.x;                       \
        uint##w##_t *out = (uint##w##_t *)k.out;                               \
        FOR_EACH (i, k.outer * k.inner) {                                      \
            int64_t from = i / k.inner * k.n + k.index[i];                     \
            out[i] = x[from * k.inner + i % k.inner];                          \
        }                                                                      \
    }

/* lanes: PyTorch 1.13 makes full pairs of that many numbers at a time, from the
 * first one's rounded value on; the rest one by one. */
#define RANGE_KERNEL(d, lanes)                                                 \
    KERNEL_ON(range_##d, RangeArgs, 1,                                         \
              COST(2.0 * (double)k.n, (double)sizeof(T_##d) * (double)k.n))    \
    {                                                                          \
        T_##d *out = (T_##d *)k.out;                                           \
        int64_t whole = k.n / (2 * lanes) * (2 * lanes);                       \
        FOR_EACH (i, k.n) {                                                    \
            int64_t first = i < whole ? i / lanes * lanes : i;                 \
            C_##d base = (C_##d)(k.start + k.step * (double)first);            \
            double more = k.step * (double)(i - first);                        \
            out[i] = STORE_##d((C_##d)((double)base + more));                  \
        }                                                                      \
    }

WIDTH_KERNELS(8)
WIDTH_KERNELS(16)
WIDTH_KERNELS(32)
WIDTH_KERNELS(64)

RANGE_KERNEL(f16, 1)
RANGE_KERNEL(bf16, 1)
RANGE_KERNEL(f32, 8)
RANGE_KERNEL(f64, 4)
KERNEL_ON(range_i64, RangeArgs, 1, COST(2.0 * (double)k.n, 8.0 * (double)k.n))
{
    int64_t *out = (int64_t *)k.out;
    FOR_EACH (i, k.n) {
        out[i] = (int64_t)((uint64_t)k.integer_start +
                           (uint64_t)k.integer_step * (uint64_t)i);
    }
}

/* Each dtype to each of the seven others; to itself is copy_<width>. */
CAST_KERNEL(b8, u8)
CAST_KERNEL(b8, i32)
CAST_KERNEL(b8, i64)
CAST_KERNEL(b8, f16)
CAST_KERNEL(b8, bf16)
CAST_KERNEL(b8, f32)
CAST_KERNEL(b8, f64)
CAST_KERNEL(u8, b8)
CAST_KERNEL(u8, i32)
CAST_KERNEL(u8, i64)
CAST_KERNEL(u8, f16)
CAST_KERNEL(u8, bf16)
CAST_KERNEL(u8, f32)
CAST_KERNEL(u8, f64)
CAST_KERNEL(i32, b8)
CAST_KERNEL(i32, u8)
CAST_KERNEL(i32, i64)
CAST_KERNEL(i32, f16)
CAST_KERNEL(i32, bf16)
CAST_KERNEL(i32, f32)
CAST_KERNEL(i32, f64)
CAST_KERNEL(i64, b8)
CAST_KERNEL(i64, u8)
CAST_KERNEL(i64, i32)
CAST_KERNEL(i64, f16)
CAST_KERNEL(i64, bf16)
CAST_KERNEL(i64, f32)
CAST_KERNEL(i64, f64)
CAST_KERNEL(f16, b8)
CAST_KERNEL(f16, u8)
CAST_KERNEL(f16, i32)
CAST_KERNEL(f16, i64)
CAST_KERNEL(f16, bf16)
CAST_KERNEL(f16, f32)
CAST_KERNEL(f16, f64)
CAST_KERNEL(bf16, b8)
CAST_KERNEL(bf16, u8)
CAST_KERNEL(bf16, i32)
CAST_KERNEL(bf16, i64)
CAST_KERNEL(bf16, f16)
CAST_KERNEL(bf16, f32)
CAST_KERNEL(bf16, f64)
CAST_KERNEL(f32, b8)
CAST_KERNEL(f32, u8)
CAST_KERNEL(f32, i32)
CAST_KERNEL(f32, i64)
CAST_KERNEL(f32, f16)
CAST_KERNEL(f32, bf16)
CAST_KERNEL(f32, f64)
CAST_KERNEL(f64, b8)
CAST_KERNEL(f64, u8)
CAST_KERNEL(f64, i32)
CAST_KERNEL(f64, i64)
CAST_KERNEL(f64, f16)
CAST_KERNEL(f64, bf16)
CAST_KERNEL(f64, f32)

#endif

/* Flat rows of numbers, in the words of one number.
 *
 * FLAT_MAP1(n, T, in, TO, out, x, expression)
 *     out[i] = expression of x, for each of n numbers; x is in[i].
 * FLAT_MAP2(n, every, T, a, b, TO, out, x, y, expression)
 *     the same of two; y is b[i % every], so that b may be one row of a.
 *
 * A GPU's thread takes sixteen bytes at a time (the widest load there is) where
 * the addresses allow it, and single numbers at the end or where they do not.
 * An output may be an input: number i is read before it is written. A CPU never
 * comes here: walk_is_flat and walk_rows send it along the walk's rows.
 */
#ifndef OPS_KERNELS_PACK_H
#define OPS_KERNELS_PACK_H

#include "ops/kernels/words.h" // defines: FOR_EACH

enum { PACK_BYTES = 16 };

/* How many threads n numbers need, of which the widest has that many bytes. */
KERNEL_FN int64_t pack_threads(int64_t n, int64_t n_bytes)
{
    int64_t of = PACK_BYTES / n_bytes;
    return (n + of - 1) / of;
}

#if KERNEL_TARGET == 3
template <typename T, int N> struct alignas(sizeof(T) * N) Pack {
    T of[N];
};

static __device__ inline bool pack_fits(const void *p, size_t n_bytes)
{
    return (size_t)p % n_bytes == 0;
}

/* at % every; 64-bit division is slow on a GPU. */
static __device__ inline int64_t pack_wrap(int64_t at, int64_t every)
{
    if ((at | every) >> 32 == 0)
        return (uint32_t)at % (uint32_t)every;
    return at % every;
}

#define PACK_OF(T, TO)                                                         \
    (PACK_BYTES / (int)(sizeof(T) > sizeof(TO) ? sizeof(T) : sizeof(TO)))

#define FLAT_MAP1(n, T, in, TO, out, x, ...)                                   \
    do {                                                                       \
        typedef Pack<T, PACK_OF(T, TO)> In;                                    \
        typedef Pack<TO, PACK_OF(T, TO)> Out;                                  \
        bool wide = pack_fits(in, sizeof(In)) && pack_fits(out, sizeof(Out));  \
        int64_t n_packs = wide ? (n) / PACK_OF(T, TO) : 0;                     \
        FOR_EACH (p, n_packs) {                                                \
            In from = ((const In *)(in))[p];                                   \
            Out to;                                                            \
            _Pragma("unroll") for (int l = 0; l < PACK_OF(T, TO); l++)         \
            {                                                                  \
                const T x = from.of[l];                                        \
                to.of[l] = (__VA_ARGS__);                                      \
            }                                                                  \
            ((Out *)(out))[p] = to;                                            \
        }                                                                      \
        int64_t first = n_packs * PACK_OF(T, TO);                              \
        FOR_EACH (t, (n)-first) {                                              \
            const T x = (in)[first + t];                                       \
            (out)[first + t] = (__VA_ARGS__);                                  \
        }                                                                      \
    } while (0)

#define FLAT_MAP2(n, every, T, a, b, TO, out, x, y, ...)                       \
    do {                                                                       \
        typedef Pack<T, PACK_OF(T, TO)> In;                                    \
        typedef Pack<TO, PACK_OF(T, TO)> Out;                                  \
        const int64_t row = (every);                                           \
        const bool one_row = row >= (n);                                       \
        bool wide = pack_fits(a, sizeof(In)) && pack_fits(b, sizeof(In)) &&    \
                    pack_fits(out, sizeof(Out)) &&                             \
                    (one_row || row % PACK_OF(T, TO) == 0);                    \
        int64_t n_packs = wide ? (n) / PACK_OF(T, TO) : 0;                     \
        FOR_EACH (p, n_packs) {                                                \
            int64_t q = one_row ? p : pack_wrap(p, row / PACK_OF(T, TO));      \
            In left = ((const In *)(a))[p];                                    \
            In right = ((const In *)(b))[q];                                   \
            Out to;                                                            \
            _Pragma("unroll") for (int l = 0; l < PACK_OF(T, TO); l++)         \
            {                                                                  \
                const T x = left.of[l];                                        \
                const T y = right.of[l];                                       \
                to.of[l] = (__VA_ARGS__);                                      \
            }                                                                  \
            ((Out *)(out))[p] = to;                                            \
        }                                                                      \
        int64_t first = n_packs * PACK_OF(T, TO);                              \
        FOR_EACH (t, (n)-first) {                                              \
            const T x = (a)[first + t];                                        \
            const T y = (b)[one_row ? first + t : pack_wrap(first + t, row)];  \
            (out)[first + t] = (__VA_ARGS__);                                  \
        }                                                                      \
    } while (0)
#else
#define FLAT_MAP1(n, T, in, TO, out, x, ...) ((void)0)
#define FLAT_MAP2(n, every, T, a, b, TO, out, x, y, ...) ((void)0)
#endif

#endif

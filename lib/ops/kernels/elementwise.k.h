/* Kernels that make one number from one number of each input. */
#ifndef OPS_KERNELS_ELEMENTWISE_K_H
#define OPS_KERNELS_ELEMENTWISE_K_H

#include "ops/kernels/arithmetic.h" // defines: do_add_f32 and its like
#include "ops/kernels/pack.h"       // defines: FLAT_MAP1, FLAT_MAP2
#include "ops/kernels/walk.h"       // defines: Walk, FOR_EACH_PLACE
#include "ops/kernels/words.h"      // defines: KERNEL_ON, COST

/* walk: out, x */
typedef struct UnaryArgs {
    const void *x;
    void *out;
    Walk walk;
} UnaryArgs;

/* walk: out, a, b. Without b the number stands in `real` or `integer`; a third
 * operand (alpha, atol) in `real`, or in `more`. */
typedef struct BinaryArgs {
    const void *a;
    const void *b; // or NULL
    void *out;
    Walk walk;
    double real;
    double more;
    int64_t integer;
} BinaryArgs;

#define UNARY_KERNEL(op, d)                                                    \
    KERNEL_ON(op##_##d, UnaryArgs, 2,                                          \
              COST(k.walk.n, 2.0 * sizeof(T_##d) * (double)k.walk.n))          \
    {                                                                          \
        const T_##d *in = (const T_##d *)k.x;                                  \
        T_##d *out = (T_##d *)k.out;                                           \
        if (walk_is_flat(&k.walk, 2)) {                                        \
            FLAT_MAP1(k.walk.n, T_##d, in, T_##d, out, x,                      \
                      STORE_##d(do_##op##_##d(LOAD_##d(x))));                  \
            return;                                                            \
        }                                                                      \
        FOR_EACH_PLACE(o, i, unused_y, unused_z, k.walk)                       \
        {                                                                      \
            out[o] = STORE_##d(do_##op##_##d(LOAD_##d(in[i])));                \
        }                                                                      \
    }

/* number: where the number for b stands. to: the result's dtype. */
#define BINARY_KERNEL(op, to, number, d)                                       \
    KERNEL_ON(                                                                 \
        op##_##d, BinaryArgs, 3,                                               \
        COST(k.walk.n, (sizeof(T_##d) * (k.b ? 2.0 : 1.0) + sizeof(T_##to)) *  \
                           (double)k.walk.n))                                  \
    {                                                                          \
        const T_##d *a = (const T_##d *)k.a;                                   \
        const T_##d *b = (const T_##d *)k.b;                                   \
        T_##to *out = (T_##to *)k.out;                                         \
        C_##d value = (C_##d)k.number;                                         \
        int64_t rows = b ? walk_rows(&k.walk) : 0;                             \
        if (rows > 0) {                                                        \
            FLAT_MAP2(k.walk.n, rows, T_##d, a, b, T_##to, out, x, y,          \
                      STORE_##to(do_##op##_##d(LOAD_##d(x), LOAD_##d(y))));    \
        } else if (!b && walk_is_flat(&k.walk, 2)) {                           \
            FLAT_MAP1(k.walk.n, T_##d, a, T_##to, out, x,                      \
                      STORE_##to(do_##op##_##d(LOAD_##d(x), value)));          \
        } else {                                                               \
            FOR_EACH_PLACE(o, x, y, unused_z, k.walk)                          \
            {                                                                  \
                C_##d right = b ? LOAD_##d(b[y]) : value;                      \
                out[o] = STORE_##to(do_##op##_##d(LOAD_##d(a[x]), right));     \
            }                                                                  \
        }                                                                      \
    }

/* Floats with a third operand: `call` says what becomes of x and y, as they are
 * stored. */
#define TERNARY_KERNEL(op, to, call, d)                                        \
    KERNEL_ON(op##_##d, BinaryArgs, 3,                                         \
              COST(2.0 * (double)k.walk.n,                                     \
                   (sizeof(T_##d) * 2.0 + sizeof(T_##to)) * (double)k.walk.n)) \
    {                                                                          \
        const T_##d *a = (const T_##d *)k.a;                                   \
        const T_##d *b = (const T_##d *)k.b;                                   \
        T_##to *out = (T_##to *)k.out;                                         \
        int64_t rows = walk_rows(&k.walk);                                     \
        if (rows > 0) {                                                        \
            FLAT_MAP2(k.walk.n, rows, T_##d, a, b, T_##to, out, x, y,          \
                      STORE_##to(call));                                       \
        } else {                                                               \
            FOR_EACH_PLACE(o, at_x, at_y, unused_z, k.walk)                    \
            {                                                                  \
                T_##d x = a[at_x];                                             \
                T_##d y = b[at_y];                                             \
                out[o] = STORE_##to(call);                                     \
            }                                                                  \
        }                                                                      \
    }

#define UNARY_FLOATS(op)                                                       \
    UNARY_KERNEL(op, f16)                                                      \
    UNARY_KERNEL(op, bf16)                                                     \
    UNARY_KERNEL(op, f32)                                                      \
    UNARY_KERNEL(op, f64)
#define UNARY_NUMBERS(op)                                                      \
    UNARY_KERNEL(op, u8)                                                       \
    UNARY_KERNEL(op, i32)                                                      \
    UNARY_KERNEL(op, i64)                                                      \
    UNARY_FLOATS(op)
#define BINARY_FLOATS(op)                                                      \
    BINARY_KERNEL(op, f16, real, f16)                                          \
    BINARY_KERNEL(op, bf16, real, bf16)                                        \
    BINARY_KERNEL(op, f32, real, f32)                                          \
    BINARY_KERNEL(op, f64, real, f64)
#define BINARY_NUMBERS(op)                                                     \
    BINARY_KERNEL(op, u8, integer, u8)                                         \
    BINARY_KERNEL(op, i32, integer, i32)                                       \
    BINARY_KERNEL(op, i64, integer, i64)                                       \
    BINARY_FLOATS(op)
#define BINARY_ALL(op)                                                         \
    BINARY_KERNEL(op, b8, integer, b8)                                         \
    BINARY_NUMBERS(op)
#define COMPARISON(op)                                                         \
    BINARY_KERNEL(op, b8, integer, b8)                                         \
    BINARY_KERNEL(op, b8, integer, u8)                                         \
    BINARY_KERNEL(op, b8, integer, i32)                                        \
    BINARY_KERNEL(op, b8, integer, i64)                                        \
    BINARY_KERNEL(op, b8, real, f16)                                           \
    BINARY_KERNEL(op, b8, real, bf16)                                          \
    BINARY_KERNEL(op, b8, real, f32)                                           \
    BINARY_KERNEL(op, b8, real, f64)

UNARY_NUMBERS(neg)
UNARY_NUMBERS(abs)
UNARY_NUMBERS(square)
UNARY_NUMBERS(relu)
UNARY_FLOATS(exp)
UNARY_FLOATS(log)
UNARY_FLOATS(sqrt)
UNARY_FLOATS(tanh)
UNARY_FLOATS(sigmoid)

BINARY_ALL(add)
BINARY_NUMBERS(sub)
BINARY_ALL(mul)
BINARY_FLOATS(div)
BINARY_NUMBERS(pow)
BINARY_ALL(maximum)
BINARY_ALL(minimum)
COMPARISON(eq)
COMPARISON(same)
COMPARISON(ne)
COMPARISON(lt)
COMPARISON(le)
COMPARISON(gt)
COMPARISON(ge)
BINARY_FLOATS(relu_backward)
BINARY_FLOATS(tanh_backward)
BINARY_FLOATS(sigmoid_backward)

#define ADD_SCALED(d) do_add_scaled_##d(LOAD_##d(x), LOAD_##d(y), (C_##d)k.real)
TERNARY_KERNEL(add_scaled, f16, ADD_SCALED(f16), f16)
TERNARY_KERNEL(add_scaled, bf16, ADD_SCALED(bf16), bf16)
TERNARY_KERNEL(add_scaled, f32, ADD_SCALED(f32), f32)
TERNARY_KERNEL(add_scaled, f64, ADD_SCALED(f64), f64)
TERNARY_KERNEL(close, b8, do_close_f32(x, y, (float)k.real, (float)k.more), f32)
TERNARY_KERNEL(close, b8, do_close_f64(x, y, k.real, k.more), f64)

#endif

/* What add, mul, exp … do to one number, for each dtype: do_add_f32(x, y).
 *
 * Integers wrap around, in unsigned arithmetic, as PyTorch's do. The halves
 * come in and go out as floats. Contraction is off: what reads x * y + z
 * rounds twice, everywhere.
 */
#ifndef OPS_KERNELS_ARITHMETIC_H
#define OPS_KERNELS_ARITHMETIC_H

#include "ops/kernels/types.h" // defines: C_f32 and its like
#include "ops/kernels/words.h" // defines: KERNEL_FN

/* f: the suffix of libm's functions for this type. */
#define FLOAT_DO(d, f)                                                         \
    KERNEL_FN C_##d do_add_##d(C_##d x, C_##d y)                               \
    {                                                                          \
        return x + y;                                                          \
    }                                                                          \
    KERNEL_FN C_##d do_sub_##d(C_##d x, C_##d y)                               \
    {                                                                          \
        return x - y;                                                          \
    }                                                                          \
    KERNEL_FN C_##d do_mul_##d(C_##d x, C_##d y)                               \
    {                                                                          \
        return x * y;                                                          \
    }                                                                          \
    KERNEL_FN C_##d do_div_##d(C_##d x, C_##d y)                               \
    {                                                                          \
        return x / y;                                                          \
    }                                                                          \
    KERNEL_FN C_##d do_pow_##d(C_##d x, C_##d y)                               \
    {                                                                          \
        if (y == 2)                                                            \
            return x * x;                                                      \
        if (y == 3)                                                            \
            return x * x * x;                                                  \
        if (y == (C_##d)0.5)                                                   \
            return sqrt##f(x);                                                 \
        if (y == -1)                                                           \
            return 1 / x;                                                      \
        if (y == -2)                                                           \
            return 1 / (x * x);                                                \
        if (y == (C_##d) - 0.5)                                                \
            return 1 / sqrt##f(x);                                             \
        return pow##f(x, y);                                                   \
    }                                                                          \
    KERNEL_FN C_##d do_neg_##d(C_##d x)                                        \
    {                                                                          \
        return -x;                                                             \
    }                                                                          \
    KERNEL_FN C_##d do_abs_##d(C_##d x)                                        \
    {                                                                          \
        return fabs##f(x);                                                     \
    }                                                                          \
    KERNEL_FN C_##d do_exp_##d(C_##d x)                                        \
    {                                                                          \
        return exp##f(x);                                                      \
    }                                                                          \
    KERNEL_FN C_##d do_log_##d(C_##d x)                                        \
    {                                                                          \
        return log##f(x);                                                      \
    }                                                                          \
    KERNEL_FN C_##d do_sqrt_##d(C_##d x)                                       \
    {                                                                          \
        return sqrt##f(x);                                                     \
    }                                                                          \
    KERNEL_FN C_##d do_tanh_##d(C_##d x)                                       \
    {                                                                          \
        return tanh##f(x);                                                     \
    }                                                                          \
    KERNEL_FN C_##d do_sigmoid_##d(C_##d x)                                    \
    {                                                                          \
        return 1 / (1 + exp##f(-x));                                           \
    }                                                                          \
    KERNEL_FN C_##d do_add_scaled_##d(C_##d x, C_##d y, C_##d alpha)           \
    {                                                                          \
        return fma##f(alpha, y, x);                                            \
    }                                                                          \
    KERNEL_FN C_##d do_relu_backward_##d(C_##d x, C_##d y)                     \
    {                                                                          \
        return y <= 0 ? 0 : x;                                                 \
    }                                                                          \
    KERNEL_FN C_##d do_tanh_backward_##d(C_##d x, C_##d y)                     \
    {                                                                          \
        return x * (1 - y * y);                                                \
    }                                                                          \
    KERNEL_FN C_##d do_sigmoid_backward_##d(C_##d x, C_##d y)                  \
    {                                                                          \
        return x * (1 - y) * y;                                                \
    }                                                                          \
    /* |x - y| <= atol + rtol * |y|, or the same infinity */                   \
    KERNEL_FN bool do_close_##d(C_##d x, C_##d y, C_##d rtol, C_##d atol)      \
    {                                                                          \
        C_##d far = fabs##f(x - y);                                            \
        return x == y || (far - far == 0 && far <= atol + fabs##f(rtol * y));  \
    }

/* u: an unsigned type at least as wide. */
#define INTEGER_DO(d, u)                                                       \
    KERNEL_FN C_##d do_add_##d(C_##d x, C_##d y)                               \
    {                                                                          \
        return (C_##d)((u)x + (u)y);                                           \
    }                                                                          \
    KERNEL_FN C_##d do_sub_##d(C_##d x, C_##d y)                               \
    {                                                                          \
        return (C_##d)((u)x - (u)y);                                           \
    }                                                                          \
    KERNEL_FN C_##d do_mul_##d(C_##d x, C_##d y)                               \
    {                                                                          \
        return (C_##d)((u)x * (u)y);                                           \
    }                                                                          \
    KERNEL_FN C_##d do_neg_##d(C_##d x)                                        \
    {                                                                          \
        return (C_##d)(0 - (u)x);                                              \
    }                                                                          \
    KERNEL_FN C_##d do_abs_##d(C_##d x)                                        \
    {                                                                          \
        return x > 0 ? x : do_neg_##d(x);                                      \
    }                                                                          \
    KERNEL_FN C_##d do_pow_##d(C_##d x, C_##d y)                               \
    {                                                                          \
        C_##d zero = 0;                                                        \
        if (y < zero) {                                                        \
            C_##d sign = (C_##d)(y % 2 == 0 ? 1 : x);                          \
            return (C_##d)(x == 1 ? 1 : x == (C_##d) - 1 ? sign : 0);          \
        }                                                                      \
        u power = 1;                                                           \
        u base = (u)x;                                                         \
        for (u rest = (u)y; rest != 0; rest >>= 1) {                           \
            if (rest & 1)                                                      \
                power *= base;                                                 \
            base *= base;                                                      \
        }                                                                      \
        return (C_##d)power;                                                   \
    }

/* For every dtype that can be ordered; a NaN wins over any number. */
#define ORDER_DO(d)                                                            \
    KERNEL_FN C_##d do_maximum_##d(C_##d x, C_##d y)                           \
    {                                                                          \
        return x != x || x > y ? x : y;                                        \
    }                                                                          \
    KERNEL_FN C_##d do_minimum_##d(C_##d x, C_##d y)                           \
    {                                                                          \
        return x != x || x < y ? x : y;                                        \
    }                                                                          \
    KERNEL_FN C_##d do_square_##d(C_##d x)                                     \
    {                                                                          \
        return do_mul_##d(x, x);                                               \
    }                                                                          \
    KERNEL_FN C_##d do_relu_##d(C_##d x)                                       \
    {                                                                          \
        C_##d zero = 0;                                                        \
        return x < zero ? zero : x;                                            \
    }                                                                          \
    KERNEL_FN bool do_eq_##d(C_##d x, C_##d y)                                 \
    {                                                                          \
        return x == y;                                                         \
    }                                                                          \
    KERNEL_FN bool do_same_##d(C_##d x, C_##d y)                               \
    {                                                                          \
        return x == y || (x != x && y != y);                                   \
    }                                                                          \
    KERNEL_FN bool do_ne_##d(C_##d x, C_##d y)                                 \
    {                                                                          \
        return x != y;                                                         \
    }                                                                          \
    KERNEL_FN bool do_lt_##d(C_##d x, C_##d y)                                 \
    {                                                                          \
        return x < y;                                                          \
    }                                                                          \
    KERNEL_FN bool do_le_##d(C_##d x, C_##d y)                                 \
    {                                                                          \
        return x <= y;                                                         \
    }                                                                          \
    KERNEL_FN bool do_gt_##d(C_##d x, C_##d y)                                 \
    {                                                                          \
        return x > y;                                                          \
    }                                                                          \
    KERNEL_FN bool do_ge_##d(C_##d x, C_##d y)                                 \
    {                                                                          \
        return x >= y;                                                         \
    }

/* Bools: or and and. */
KERNEL_FN C_b8 do_add_b8(C_b8 x, C_b8 y)
{
    return x | y;
}

KERNEL_FN C_b8 do_mul_b8(C_b8 x, C_b8 y)
{
    return x & y;
}

FLOAT_DO(f16, f)
FLOAT_DO(bf16, f)
FLOAT_DO(f32, f)
FLOAT_DO(f64, )
INTEGER_DO(u8, uint32_t)
INTEGER_DO(i32, uint32_t)
INTEGER_DO(i64, uint64_t)
ORDER_DO(b8)
ORDER_DO(u8)
ORDER_DO(i32)
ORDER_DO(i64)
ORDER_DO(f16)
ORDER_DO(bf16)
ORDER_DO(f32)
ORDER_DO(f64)

#endif

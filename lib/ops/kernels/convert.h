/* From one dtype to another, one number: CONVERT(f32, i64, x).
 *
 * Real to integer cuts the fraction off; what does not fit (and a NaN) becomes
 * the smallest integer, as on an x86 CPU, and here on every target. To uint8
 * goes through int64 and wraps. Integers wrap. Not zero is true.
 */
#ifndef OPS_KERNELS_CONVERT_H
#define OPS_KERNELS_CONVERT_H

#include "ops/kernels/types.h" // defines: LOAD_f32, STORE_f32 and their like
#include "ops/kernels/words.h" // defines: KERNEL_FN

KERNEL_FN int32_t i32_of_real(double x)
{
    return x > -2147483649.0 && x < 2147483648.0 ? (int32_t)x : INT32_MIN;
}

KERNEL_FN int64_t i64_of_real(double x)
{
    return x >= -9223372036854775808.0 && x < 9223372036854775808.0 ? (int64_t)x
                                                                    : INT64_MIN;
}

#define KIND_b8 INTEGER
#define KIND_u8 INTEGER
#define KIND_i32 INTEGER
#define KIND_i64 INTEGER
#define KIND_f16 REAL
#define KIND_bf16 REAL
#define KIND_f32 REAL
#define KIND_f64 REAL

#define REAL_TO_b8(x) ((x) != 0)
#define REAL_TO_u8(x) ((uint8_t)i64_of_real(x))
#define REAL_TO_i32(x) i32_of_real(x)
#define REAL_TO_i64(x) i64_of_real(x)
#define REAL_TO_f16(x) float16_of_float((float)(x))
#define REAL_TO_bf16(x) bfloat16_of_float((float)(x))
#define REAL_TO_f32(x) ((float)(x))
#define REAL_TO_f64(x) ((double)(x))

#define INTEGER_TO_b8(x) ((x) != 0)
#define INTEGER_TO_u8(x) ((uint8_t)(x))
#define INTEGER_TO_i32(x) ((int32_t)(x))
#define INTEGER_TO_i64(x) ((int64_t)(x))
#define INTEGER_TO_f16(x) float16_of_float((float)(x))
#define INTEGER_TO_bf16(x) bfloat16_of_float((float)(x))
#define INTEGER_TO_f32(x) ((float)(x))
#define INTEGER_TO_f64(x) ((double)(x))

#define CONVERT(from, to, stored) CONVERT_(KIND_##from, to, LOAD_##from(stored))
#define CONVERT_(kind, to, x) CONVERT__(kind, to, x)
#define CONVERT__(kind, to, x) kind##_TO_##to(x)

#endif

/* float16 and bfloat16 as bits, and TF32's rounding. Rounds to nearest, ties
 * to even, as GPUs do; TF32 rounds ties away from zero, as cvt.rna does. */
#ifndef SIM_HALF_H
#define SIM_HALF_H

#include <stdint.h>
#include <string.h>

static inline uint32_t float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

static inline float bits_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

static inline float half_to_float(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000u) << 16;
    uint32_t exponent = h >> 10 & 0x1f, mantissa = h & 0x3ffu;
    if (exponent == 31)
        return bits_float(sign | 0x7f800000u | mantissa << 13);
    if (exponent == 0) { // zero or subnormal: mantissa * 2^-24
        float value = (float)mantissa * 5.9604644775390625e-8f;
        return sign ? -value : value;
    }
    return bits_float(sign | (exponent + 112) << 23 | mantissa << 13);
}

static inline uint16_t float_to_half(float x)
{
    uint32_t bits = float_bits(x);
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000u);
    uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) // NaN
        return (uint16_t)(sign | 0x7fffu);
    if (magnitude >= 0x477ff000u) // 65520 and more round to infinity
        return (uint16_t)(sign | 0x7c00u);
    if (magnitude < 0x38800000u) { // below 2^-14: count of 2^-24
        float scaled = bits_float(magnitude) * 16777216.0f;
        uint32_t whole = (uint32_t)scaled;
        float rest = scaled - (float)whole;
        whole += rest > 0.5f || (rest == 0.5f && (whole & 1));
        return (uint16_t)(sign | whole);
    }
    uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1);
    return (uint16_t)(sign | ((rounded >> 13) - (112u << 10)));
}

static inline float bfloat_to_float(uint16_t b)
{
    return bits_float((uint32_t)b << 16);
}

static inline uint16_t float_to_bfloat(float x)
{
    uint32_t bits = float_bits(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u) // NaN
        return (uint16_t)(bits >> 16 | 0x7fu);
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

static inline float round_to_tf32(float x)
{
    uint32_t bits = float_bits(x);
    if ((bits & 0x7f800000u) == 0x7f800000u)
        return x;
    return bits_float((bits + 0x1000u) & ~0x1fffu);
}

#endif

/* The two 16-bit floats, and how they round.
 *
 *   float16    s eeeee mmmmmmmmmm     largest 65504, smallest 2^-24
 *   bfloat16   s eeeeeeee mmmmmmm     float32's range, 8 bits of precision
 *
 * They are stored, never computed with: kernels widen to float32, compute
 * there, and round each result to the nearest, ties to even. The functions are
 * inline so that nvcc compiles the very same arithmetic for a GPU.
 *
 * shape   one number    place  host or GPU    owner  none
 * errors  none: overflow becomes infinity, a NaN stays a NaN
 * source  IEEE 754-2019, binary16; PyTorch 1.13, c10::Half and c10::BFloat16
 */
#ifndef BASE_HALF_H
#define BASE_HALF_H

#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define HALF_FN static inline __host__ __device__
#else
#define HALF_FN static inline
#endif

typedef struct Float16 {
    uint16_t bits;
} Float16;

typedef struct Bfloat16 {
    uint16_t bits;
} Bfloat16;

HALF_FN uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

HALF_FN float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

HALF_FN Float16 float16_of_float(float value)
{
    uint32_t bits = float_bits(value);
    uint32_t sign = (bits >> 16) & 0x8000u;
    uint32_t size = bits & 0x7fffffffu; // magnitude, as bits
    uint32_t out;
    if (size > 0x7f800000u) { // NaN
        out = 0x7e00u;
    } else if (size >= 0x47800000u) { // 65536 and more
        out = 0x7c00u;
    } else if (size < 0x38800000u) {
        // Below 2^-14 the step is 2^-24; adding 0.5 lines the last bit of the
        // sum up with that step, so the addition itself rounds.
        out = float_bits(float_of_bits(size) + 0.5f) - 0x3f000000u;
    } else {
        // Drop 13 bits, ties to even; rebias the exponent by 112.
        out = (size + 0xfffu + ((size >> 13) & 1u) - 0x38000000u) >> 13;
    }
    Float16 half;
    half.bits = (uint16_t)(sign | out);
    return half;
}

HALF_FN float float_of_float16(Float16 half)
{
    uint32_t sign = (uint32_t)(half.bits & 0x8000u) << 16;
    uint32_t size = half.bits & 0x7fffu;
    if (size >= 0x7c00u) // infinity and NaN
        return float_of_bits(sign | 0x7f800000u | (size & 0x3ffu) << 13);
    if (size < 0x400u) { // subnormal: a multiple of 2^-24
        float small = (float)size * 5.9604644775390625e-8f;
        return float_of_bits(sign | float_bits(small));
    }
    return float_of_bits(sign | ((size << 13) + 0x38000000u));
}

HALF_FN Bfloat16 bfloat16_of_float(float value)
{
    uint32_t bits = float_bits(value);
    Bfloat16 half;
    if ((bits & 0x7fffffffu) > 0x7f800000u) // NaN
        half.bits = 0x7fc0u;
    else // drop 16 bits, ties to even
        half.bits = (uint16_t)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
    return half;
}

HALF_FN float float_of_bfloat16(Bfloat16 half)
{
    return float_of_bits((uint32_t)half.bits << 16);
}

#endif

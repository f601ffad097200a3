/* The eight dtypes as kernels see them.
 *
 * T_<d>      how a number is stored
 * C_<d>      what it is computed in: the halves in float
 * LOAD_<d>   stored to computed; STORE_<d> computed to stored, rounding
 */
#ifndef OPS_KERNELS_TYPES_H
#define OPS_KERNELS_TYPES_H

#include "base/half.h"         // defines: Float16, Bfloat16, float16_of_float
#include "ops/kernels/words.h" // defines: KERNEL_FN
#include <math.h>
#include <stdbool.h>

#define T_b8 uint8_t // 0 or 1
#define T_u8 uint8_t
#define T_i32 int32_t
#define T_i64 int64_t
#define T_f16 Float16
#define T_bf16 Bfloat16
#define T_f32 float
#define T_f64 double

#define C_b8 uint8_t
#define C_u8 uint8_t
#define C_i32 int32_t
#define C_i64 int64_t
#define C_f16 float
#define C_bf16 float
#define C_f32 float
#define C_f64 double

#define LOAD_b8(v) (v)
#define LOAD_u8(v) (v)
#define LOAD_i32(v) (v)
#define LOAD_i64(v) (v)
#define LOAD_f16(v) float_of_float16(v)
#define LOAD_bf16(v) float_of_bfloat16(v)
#define LOAD_f32(v) (v)
#define LOAD_f64(v) (v)

#define STORE_b8(v) ((uint8_t)(v))
#define STORE_u8(v) ((uint8_t)(v))
#define STORE_i32(v) (v)
#define STORE_i64(v) (v)
#define STORE_f16(v) float16_of_float(v)
#define STORE_bf16(v) bfloat16_of_float(v)
#define STORE_f32(v) (v)
#define STORE_f64(v) (v)

#endif

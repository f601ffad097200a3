/* Normal numbers, by Box and Muller's transform, as PyTorch computes them on
 * CPUs with AVX2.
 *
 * Two uniforms give two normals: r cos t and r sin t, with r = sqrt(-2 ln u)
 * and t = 2 pi v. From 16 float32 elements on, PyTorch takes the logarithm,
 * sine and cosine from the single-precision polynomials of Moshier's Cephes
 * library (1992), each step fused where its compiler fuses; so the last bits
 * depend on the order below, which is why it is written out.
 *
 * source  Cephes, single/logf.c and single/sinf.c (coefficients); PyTorch 1.13,
 *         Tensor.normal_ (behaviour, compared bit for bit)
 */
#include "array/generator.h" // defines: Generator, generator_normal
#include "base/half.h"       // defines: Float16, Bfloat16
#include <math.h>

#define TWO_PI 6.283185307179586
enum { BLOCK = 16, PAIRS = BLOCK / 2 };

/* ---- one by one ------------------------------------------------------- */

static double next_normal(Generator *generator)
{
    if (generator->has_normal) {
        generator->has_normal = false;
        return generator->next_normal;
    }
    double turn = TWO_PI * generator_next53(generator);
    double radius = sqrt(-2.0 * log(1.0 - generator_next53(generator)));
    generator->has_normal = true;
    generator->next_normal = radius * sin(turn);
    return radius * cos(turn);
}

static void fill_one_by_one(Generator *generator, DType dtype, void *out,
                            int64_t n, double mean, double std)
{
    for (int64_t i = 0; i < n; i++) {
        double value = fma(next_normal(generator), std, mean);
        if (dtype == FLOAT64)
            ((double *)out)[i] = value;
        else if (dtype == FLOAT32)
            ((float *)out)[i] = (float)value;
        else if (dtype == FLOAT16)
            ((Float16 *)out)[i] = float16_of_float((float)value);
        else
            ((Bfloat16 *)out)[i] = bfloat16_of_float((float)value);
    }
}

/* ---- float32 in blocks of 16 ------------------------------------------- */

/* ln(u) for u in (0, 1]. */
static float log_polynomial(float u)
{
    static const float coefficients[] = {
        7.0376836292e-2f,  -1.1514610310e-1f, 1.1676998740e-1f,
        -1.2420140846e-1f, 1.4249322787e-1f,  -1.6668057665e-1f,
        2.0000714765e-1f,  -2.4999993993e-1f, 3.3333331174e-1f};
    uint32_t bits = float_bits(u < 1.17549435e-38f ? 1.17549435e-38f : u);
    float exponent = (float)((int)(bits >> 23) - 127) + 1;
    float x = float_of_bits((bits & 0x007fffffu) | 0x3f000000u); // [0.5, 1)
    if (x < 0.707106781186547524f) {
        x = (x - 1) + x;
        exponent -= 1;
    } else {
        x -= 1;
    }
    float square = x * x;
    float y = coefficients[0];
    for (int i = 1; i < 9; i++)
        y = fmaf(y, x, coefficients[i]);
    y = y * x;
    y = fmaf(y, square, exponent * -2.12194440e-4f);
    y = fmaf(-square, 0.5f, y);
    return fmaf(exponent, 0.693359375f, x + y);
}

/* Sine and cosine of an angle that is not negative. */
static void sin_cos_polynomial(float angle, float *sine, float *cosine)
{
    int octant = ((int)(angle * 1.27323954473516f) + 1) & ~1;
    float n = (float)octant;
    float x = fmaf(n, -0.78515625f, angle); // the angle less n pi/4, in 3 parts
    x = fmaf(n, -2.4187564849853515625e-4f, x);
    x = fmaf(n, -3.77489497744594108e-8f, x);
    float square = x * x;
    float c = fmaf(2.443315711809948e-5f, square, -1.388731625493765e-3f);
    c = fmaf(c, square, 4.166664568298827e-2f);
    c = square * c;
    c = fmaf(square, c, -(square * 0.5f)) + 1;
    float s = fmaf(-1.9515295891e-4f, square, 8.3321608736e-3f);
    s = fmaf(s, square, -1.6666654611e-1f);
    s = fmaf(x, square * s, x);
    bool swapped = (octant & 2) != 0;
    *sine = swapped ? c : s;
    *cosine = swapped ? s : c;
    if (octant & 4)
        *sine = -*sine;
    if (!((octant - 2) & 4))
        *cosine = -*cosine;
}

static void turn_float32(float *block, float mean, float std)
{
    for (int i = 0; i < PAIRS; i++) {
        float sine, cosine;
        float radius = sqrtf(-2 * log_polynomial(1 - block[i]));
        sin_cos_polynomial((float)TWO_PI * block[i + PAIRS], &sine, &cosine);
        block[i] = fmaf(radius * cosine, std, mean);
        block[i + PAIRS] = fmaf(radius * sine, std, mean);
    }
}

/* ---- the other dtypes in blocks of 16 ----------------------------------- */

static void turn_float64(double *block, double mean, double std)
{
    for (int i = 0; i < PAIRS; i++) {
        double radius = sqrt(-2 * log(1 - block[i]));
        double turn = TWO_PI * block[i + PAIRS];
        block[i] = fma(radius * cos(turn), std, mean);
        block[i + PAIRS] = fma(radius * sin(turn), std, mean);
    }
}

/* float16 goes through float32 and is rounded where a variable is stored. */
static void turn_float16(Float16 *block, float mean, float std)
{
    mean = float_of_float16(float16_of_float(mean));
    std = float_of_float16(float16_of_float(std));
    for (int i = 0; i < PAIRS; i++) {
        Float16 u = float16_of_float(1 - float_of_float16(block[i]));
        float v = float_of_float16(block[i + PAIRS]);
        float radius = float_of_float16(
            float16_of_float(sqrtf(-2 * logf(float_of_float16(u)))));
        float turn = float_of_float16(float16_of_float((float)(TWO_PI * v)));
        block[i] = float16_of_float(fmaf(radius * cosf(turn), std, mean));
        block[i + PAIRS] =
            float16_of_float(fmaf(radius * sinf(turn), std, mean));
    }
}

/* bfloat16 is rounded after each operation. */
static float round16(float value)
{
    return float_of_bfloat16(bfloat16_of_float(value));
}

static void turn_bfloat16(Bfloat16 *block, float mean, float std)
{
    mean = round16(mean);
    std = round16(std);
    for (int i = 0; i < PAIRS; i++) {
        float u = round16(1 - float_of_bfloat16(block[i]));
        float v = float_of_bfloat16(block[i + PAIRS]);
        float radius = round16(sqrtf(round16(-2 * round16(logf(u)))));
        float turn = round16((float)(TWO_PI * v));
        float x = round16(round16(radius * round16(cosf(turn))) * std);
        float y = round16(round16(radius * round16(sinf(turn))) * std);
        block[i] = bfloat16_of_float(x + mean);
        block[i + PAIRS] = bfloat16_of_float(y + mean);
    }
}

/* ---- both ways --------------------------------------------------------- */

static void turn(DType dtype, void *block, double mean, double std)
{
    if (dtype == FLOAT64)
        turn_float64(block, mean, std);
    else if (dtype == FLOAT32)
        turn_float32(block, (float)mean, (float)std);
    else if (dtype == FLOAT16)
        turn_float16(block, (float)mean, (float)std);
    else
        turn_bfloat16(block, (float)mean, (float)std);
}

void generator_normal(Generator *generator, DType dtype, void *out, int64_t n,
                      double mean, double std, bool one_by_one)
{
    if (n < BLOCK || one_by_one) {
        fill_one_by_one(generator, dtype, out, n, mean, std);
        return;
    }
    size_t bytes = dtype_bytes(dtype);
    char *data = out;
    generator_uniform(generator, dtype, out, n, 0, 1);
    for (int64_t i = 0; i + BLOCK <= n; i += BLOCK)
        turn(dtype, data + (size_t)i * bytes, mean, std);
    if (n % BLOCK != 0) { // the last 16 are drawn anew, over what was there
        char *last = data + (size_t)(n - BLOCK) * bytes;
        generator_uniform(generator, dtype, last, BLOCK, 0, 1);
        turn(dtype, last, mean, std);
    }
}

/* float16 and bfloat16 conversions: every value, every tie. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "half.h" // defines: half_to_float, float_to_half

/* The value of a format's bits by its definition. */
static float defined(unsigned bits, int mantissa_bits, int exponent_bits)
{
    int bias = (1 << (exponent_bits - 1)) - 1;
    int exponent = (int)(bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
    float mantissa = (float)(bits & ((1u << mantissa_bits) - 1));
    float one = ldexpf(1, mantissa_bits);
    float sign = bits >> 15 ? -1 : 1;
    if (exponent == 0)
        return sign * ldexpf(mantissa / one, 1 - bias);
    return sign * ldexpf(1 + mantissa / one, exponent - bias);
}

typedef struct Format {
    float (*widen)(uint16_t bits);
    uint16_t (*shorten)(float x);
    int mantissa_bits, exponent_bits;
    uint16_t infinity;
} Format;

/* Half way between two neighbours the even one is nearest; a step to either
 * side decides. */
static void check_tie(const Format *format, uint16_t bits)
{
    float low = format->widen(bits), high = format->widen(bits + 1);
    float step =
        isinf(high) ? low - format->widen((uint16_t)(bits - 1)) : high - low;
    float middle = low + step / 2;
    uint16_t even = bits & 1 ? (uint16_t)(bits + 1) : bits;
    assert_int_equal(format->shorten(middle), even);
    assert_int_equal(format->shorten(nextafterf(middle, low)), bits);
    assert_int_equal(format->shorten(nextafterf(middle, INFINITY)), bits + 1);
    assert_int_equal(format->shorten(-middle), even | 0x8000);
}

static void check_format(const Format *format)
{
    for (unsigned bits = 0; bits < 0x10000; bits++) {
        unsigned magnitude = bits & 0x7fff;
        float value = format->widen((uint16_t)bits);
        if (magnitude > format->infinity) {
            assert_true(isnan(value));
            uint16_t back = format->shorten(value);
            assert_true((back & 0x7fff) > format->infinity);
            continue;
        }
        if (magnitude == format->infinity)
            assert_true(isinf(value));
        else
            assert_true(value == defined(bits, format->mantissa_bits,
                                         format->exponent_bits));
        assert_int_equal(format->shorten(value), bits);
        if (bits < format->infinity)
            check_tie(format, (uint16_t)bits);
    }
}

static void float16(void **state)
{
    (void)state;
    const Format format = {half_to_float, float_to_half, 10, 5, 0x7c00};
    check_format(&format);
    assert_int_equal(float_to_half(65519.0f), 0x7bff);
    assert_int_equal(float_to_half(65520.0f), 0x7c00);
    assert_int_equal(float_to_half(70000.0f), 0x7c00); // seeds 3.6
    assert_int_equal(float_to_half(-131000.0f), 0xfc00);
    assert_int_equal(float_to_half(1e30f), 0x7c00);
}

static void bfloat16(void **state)
{
    (void)state;
    const Format format = {bfloat_to_float, float_to_bfloat, 7, 8, 0x7f80};
    check_format(&format);
}

static void tf32_keeps_ten_bits(void **state)
{
    (void)state;
    assert_true(round_to_tf32(1 + 0x1p-10f) == 1 + 0x1p-10f);
    assert_true(round_to_tf32(1 + 0x1p-11f) == 1 + 0x1p-10f); // ties go away
    assert_true(round_to_tf32(1 + 0x1.8p-12f) == 1);
    assert_true(round_to_tf32(-1 - 0x1p-11f) == -1 - 0x1p-10f);
    assert_true(isinf(round_to_tf32(INFINITY)));
    assert_true(isnan(round_to_tf32(NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(float16),
        cmocka_unit_test(bfloat16),
        cmocka_unit_test(tf32_keeps_ten_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

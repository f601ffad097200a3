/* float16 and bfloat16 round to nearest, ties to even. The values are those of
 * PyTorch 1.13 on a CPU. seeds 3.6 */
#include "base/half.h" // defines: float16_of_float, bfloat16_of_float
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static float through_float16(double value)
{
    return float_of_float16(float16_of_float((float)value));
}

static float through_bfloat16(double value)
{
    return float_of_bfloat16(bfloat16_of_float((float)value));
}

static void float16_rounds_to_even(void **state)
{
    (void)state;
    assert_true(through_float16(2049) == 2048.0F);
    assert_true(through_float16(2051) == 2052.0F);
    assert_true(through_float16(-2051) == -2052.0F);
    assert_int_equal(float16_of_float(0.1F).bits, 0x2e66);
    assert_int_equal(float16_of_float(1.0F).bits, 0x3c00);
}

static void float16_overflows_to_infinity(void **state)
{
    (void)state;
    assert_true(through_float16(65504) == 65504.0F);
    assert_true(through_float16(65519.9) == 65504.0F);
    assert_true(isinf(through_float16(65520)));
    assert_true(isinf(through_float16(70000)));
    assert_true(through_float16(-1e5) == -INFINITY);
    assert_true(isnan(through_float16(NAN)));
}

static void float16_has_subnormals(void **state)
{
    (void)state;
    assert_int_equal(float16_of_float(6e-8F).bits, 1);
    assert_int_equal(float16_of_float(0x1p-25F).bits, 0);
    assert_int_equal(float16_of_float(0x1.000002p-25F).bits, 1);
    assert_int_equal(float16_of_float(-0.0F).bits, 0x8000);
    assert_int_equal(float16_of_float(0x1p-14F).bits, 0x400);
    assert_int_equal(float16_of_float(0x1.ff8p-15F).bits, 0x3ff);
    assert_int_equal(float16_of_float(0x1.ffcp-15F).bits, 0x400);
}

static void every_float16_survives(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 65536; bits++) {
        Float16 half = {(uint16_t)bits};
        float wide = float_of_float16(half);
        if ((bits & 0x7fff) > 0x7c00)
            assert_true(isnan(wide));
        else
            assert_int_equal(float16_of_float(wide).bits, bits);
    }
}

/* Half way between neighbours goes to the even one, a hair more goes up. */
static void every_float16_gap_rounds_right(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 0x7bff; bits++) {
        float low = float_of_float16((Float16){(uint16_t)bits});
        float high = float_of_float16((Float16){(uint16_t)(bits + 1)});
        float middle = low + (high - low) / 2;
        uint32_t even = bits + (bits & 1);
        assert_int_equal(float16_of_float(middle).bits, even);
        assert_int_equal(float16_of_float(nextafterf(middle, 0)).bits, bits);
        assert_int_equal(float16_of_float(nextafterf(middle, 1e9F)).bits,
                         bits + 1);
    }
}

static void bfloat16_is_the_top_half(void **state)
{
    (void)state;
    assert_true(through_bfloat16(65504) == 65536.0F);
    assert_int_equal(bfloat16_of_float(1.0F / 3).bits, 0x3eab);
    assert_int_equal(bfloat16_of_float(257).bits, 0x4380);
    assert_int_equal(bfloat16_of_float(259).bits, 0x4382);
    assert_true(isinf(through_bfloat16(3.4e38)));
    assert_true(isnan(through_bfloat16(NAN)));
    assert_true(through_bfloat16(-INFINITY) == -INFINITY);
    for (uint32_t bits = 0; bits < 65536; bits++) {
        float wide = float_of_bfloat16((Bfloat16){(uint16_t)bits});
        if (!isnan(wide))
            assert_int_equal(bfloat16_of_float(wide).bits, bits);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(float16_rounds_to_even),
        cmocka_unit_test(float16_overflows_to_infinity),
        cmocka_unit_test(float16_has_subnormals),
        cmocka_unit_test(every_float16_survives),
        cmocka_unit_test(every_float16_gap_rounds_right),
        cmocka_unit_test(bfloat16_is_the_top_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

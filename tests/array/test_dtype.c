/* Dtypes: sizes, names and PyTorch's promotion table. */
#include "array/dtype.h" // defines: DType, dtype_promote
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void dtypes_have_names_and_sizes(void **state)
{
    (void)state;
    assert_string_equal(dtype_name(BOOL), "torch.bool");
    assert_string_equal(dtype_name(UINT8), "torch.uint8");
    assert_string_equal(dtype_name(INT32), "torch.int32");
    assert_string_equal(dtype_name(INT64), "torch.int64");
    assert_string_equal(dtype_name(FLOAT16), "torch.float16");
    assert_string_equal(dtype_name(BFLOAT16), "torch.bfloat16");
    assert_string_equal(dtype_name(FLOAT32), "torch.float32");
    assert_string_equal(dtype_name(FLOAT64), "torch.float64");
    assert_string_equal(dtype_scalar_name(BOOL), "Bool");
    assert_string_equal(dtype_scalar_name(UINT8), "Byte");
    assert_string_equal(dtype_scalar_name(INT32), "Int");
    assert_string_equal(dtype_scalar_name(INT64), "Long");
    assert_string_equal(dtype_scalar_name(FLOAT16), "Half");
    assert_string_equal(dtype_scalar_name(BFLOAT16), "BFloat16");
    assert_string_equal(dtype_scalar_name(FLOAT32), "Float");
    assert_string_equal(dtype_scalar_name(FLOAT64), "Double");
    const size_t sizes[N_DTYPES] = {1, 1, 4, 8, 2, 2, 4, 8};
    for (int d = 0; d < N_DTYPES; d++) {
        assert_int_equal(dtype_bytes((DType)d), sizes[d]);
        assert_int_equal(dtype_is_floating((DType)d), d >= FLOAT16);
    }
}

/* torch.promote_types of PyTorch 1.13, row by row. */
static void promotion_is_pytorchs(void **state)
{
    (void)state;
    static const DType table[N_DTYPES][N_DTYPES] = {
        {BOOL, UINT8, INT32, INT64, FLOAT16, BFLOAT16, FLOAT32, FLOAT64},
        {UINT8, UINT8, INT32, INT64, FLOAT16, BFLOAT16, FLOAT32, FLOAT64},
        {INT32, INT32, INT32, INT64, FLOAT16, BFLOAT16, FLOAT32, FLOAT64},
        {INT64, INT64, INT64, INT64, FLOAT16, BFLOAT16, FLOAT32, FLOAT64},
        {FLOAT16, FLOAT16, FLOAT16, FLOAT16, FLOAT16, FLOAT32, FLOAT32,
         FLOAT64},
        {BFLOAT16, BFLOAT16, BFLOAT16, BFLOAT16, FLOAT32, BFLOAT16, FLOAT32,
         FLOAT64},
        {FLOAT32, FLOAT32, FLOAT32, FLOAT32, FLOAT32, FLOAT32, FLOAT32,
         FLOAT64},
        {FLOAT64, FLOAT64, FLOAT64, FLOAT64, FLOAT64, FLOAT64, FLOAT64,
         FLOAT64},
    };
    for (int a = 0; a < N_DTYPES; a++)
        for (int b = 0; b < N_DTYPES; b++)
            assert_int_equal(dtype_promote((DType)a, (DType)b), table[a][b]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dtypes_have_names_and_sizes),
        cmocka_unit_test(promotion_is_pytorchs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* In place: x changes where it is, or not at all. */
#include "arrays.h"          // defines: places, array_of, check_array
#include "ops/elementwise.h" // defines: op_binary_into, op_where

static void x_changes_where_it_is(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array x =
            array_of(FLOAT32, shape(2, 2), places[p], NUMBERS(1, 2, 3, 4));
        Array row = array_of(INT64, shape(2), places[p], NUMBERS(10, 20));
        void *data = array_data(&x);
        assert_int_equal(op_binary_into(BINARY_ADD, &x, &row), OK);
        assert_int_equal(
            op_binary_scalar_into(BINARY_MUL, &x, scalar_real(0.5)), OK);
        assert_ptr_equal(array_data(&x), data);
        Array y =
            array_of(FLOAT32, shape(2, 2), places[p], NUMBERS(1, 1, 2, 2));
        assert_int_equal(op_add_scaled_into(&x, &y, -0.5), OK);
        array_release(&y);
        array_release(&row);
        check_array(&x, FLOAT32, shape(2, 2), places[p],
                    NUMBERS(5, 10.5, 5.5, 11));
    }
}

static void a_view_changes_its_base(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array x =
            array_of(INT32, shape(2, 3), places[p], NUMBERS(1, 2, 3, 4, 5, 6));
        Array turned = {0};
        Array column = {0};
        array_slice(&x, 1, 2, 3, &column);
        assert_int_equal(
            op_binary_scalar_into(BINARY_ADD, &column, scalar_int(100)), OK);
        array_release(&column);
        array_transpose(&x, 0, 1, &turned);
        Array y = array_of(INT32, shape(3, 1), places[p], NUMBERS(1, 2, 3));
        assert_int_equal(op_binary_into(BINARY_MUL, &turned, &y), OK);
        array_release(&y);
        array_release(&turned);
        check_array(&x, INT32, shape(2, 3), places[p],
                    NUMBERS(1, 4, 309, 4, 10, 318));
    }
}

/* x += x^T reads numbers that it has already changed, if one is careless. */
static void overlapping_windows_are_safe(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array x =
            array_of(FLOAT32, shape(2, 2), places[p], NUMBERS(1, 2, 3, 4));
        Array turned = {0};
        array_transpose(&x, 0, 1, &turned);
        assert_int_equal(op_binary_into(BINARY_ADD, &x, &turned), OK);
        assert_int_equal(op_add_scaled_into(&x, &turned, 1), OK);
        array_release(&turned);
        check_array(&x, FLOAT32, shape(2, 2), places[p],
                    NUMBERS(4, 10, 10, 16));
    }
}

static void dtypes_stay(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array half = array_of(FLOAT16, shape(2), places[p], NUMBERS(1, 2048));
        Array wide = array_of(FLOAT32, shape(2), places[p], NUMBERS(0.5, 1.5));
        assert_int_equal(op_binary_into(BINARY_ADD, &half, &wide), OK);
        check_array(&half, FLOAT16, shape(2), places[p], NUMBERS(1.5, 2050));
        Array whole = array_of(INT64, shape(2), places[p], NUMBERS(1, 2));
        const char *sentence =
            "result type Float can't be cast to the desired output type Long";
        check_failure(op_binary_into(BINARY_ADD, &whole, &wide), ERR_RUNTIME,
                      sentence);
        check_failure(
            op_binary_scalar_into(BINARY_ADD, &whole, scalar_real(1.5)),
            ERR_RUNTIME, sentence);
        check_failure(op_binary_scalar_into(BINARY_DIV, &whole, scalar_int(2)),
                      ERR_RUNTIME, sentence);
        check_failure(op_add_scaled_into(&whole, &whole, 0.5), ERR_RUNTIME,
                      "For integral input tensors, argument alpha must not be "
                      "a floating point number.");
        array_release(&wide);
        check_array(&whole, INT64, shape(2), places[p], NUMBERS(1, 2));
    }
}

static void x_does_not_grow(void **state)
{
    (void)state;
    Array x = array_of(FLOAT32, shape(2), device_cpu(), NUMBERS(1, 2));
    Array y = array_of(FLOAT32, shape(2, 2), device_cpu(), NUMBERS(1, 2, 3, 4));
    Array z = array_of(FLOAT32, shape(3), device_cpu(), NUMBERS(1, 2, 3));
    check_failure(op_binary_into(BINARY_ADD, &x, &y), ERR_RUNTIME,
                  "output with shape [2] doesn't match the broadcast shape "
                  "[2, 2]");
    Array wide = {0};
    array_expand(&x, shape(2, 2), &wide);
    check_failure(op_binary_into(BINARY_ADD, &wide, &y), ERR_RUNTIME,
                  "unsupported operation: more than one element of the "
                  "written-to tensor refers to a single memory location. "
                  "Please clone() the tensor before performing the "
                  "operation.");
    check_failure(op_binary_into(BINARY_ADD, &wide, &z), ERR_RUNTIME,
                  "unsupported operation: more than one element of the "
                  "written-to tensor refers to a single memory location. "
                  "Please clone() the tensor before performing the "
                  "operation."); // before sizes are looked at
    array_release(&wide);
    Array none = {0}; // nothing is no number seen twice
    array_expand(&x, shape(2, 2), &wide);
    array_slice(&wide, 1, 0, 0, &none);
    assert_int_equal(op_binary_scalar_into(BINARY_ADD, &none, scalar_int(1)),
                     OK);
    array_release(&none);
    array_release(&wide);
    check_failure(op_binary_into(BINARY_ADD, &x, &z), ERR_RUNTIME,
                  "The size of tensor a (2) must match the size of tensor b "
                  "(3) at non-singleton dimension 0");
    Array one = array_of(FLOAT32, shape_scalar(), device_cpu(), NUMBERS(1));
    Array far = array_of(FLOAT32, shape(2), device_cuda(0), NUMBERS(1, 2));
    check_failure(op_binary_into(BINARY_ADD, &one, &far), ERR_DEVICE,
                  "output with device cpu doesn't match the desired device "
                  "cuda:0");
    array_release(&one);
    array_release(&far);
    array_release(&x);
    array_release(&y);
    array_release(&z);
}

/* A number from the CPU may join, and a wider y is not rounded first. */
static void scaled_adding_takes_guests(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array x = array_of(FLOAT32, shape(2), places[p], NUMBERS(1, 2));
        Array one = array_of(FLOAT64, shape_scalar(), device_cpu(), NUMBERS(3));
        Array wide =
            array_of(FLOAT64, shape(2), places[p], NUMBERS(0.1, 0x1.000001p24));
        assert_int_equal(op_add_scaled_into(&x, &one, 2), OK);
        assert_int_equal(op_add_scaled_into(&x, &wide, 3), OK);
        check_array(
            &x, FLOAT32, shape(2), places[p],
            NUMBERS((float)(7 + 3 * 0.1), (float)(8 + 3 * 0x1.000001p24)));
        array_release(&one);
        array_release(&wide);
    }
}

/* One rounding, not two: 1 + 2^-12 squared, minus 1 + 2^-11, leaves 2^-24. */
static void scaled_adding_is_one_fma(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array x =
            array_of(FLOAT32, shape(1), places[p], NUMBERS(-(1 + 0x1p-11)));
        Array y = array_of(FLOAT32, shape(1), places[p], NUMBERS(1 + 0x1p-12));
        assert_int_equal(op_add_scaled_into(&x, &y, 1 + 0x1p-12), OK);
        array_release(&y);
        check_array(&x, FLOAT32, shape(1), places[p], NUMBERS(0x1p-24));
    }
}

static void where_chooses(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array which = array_of(BOOL, shape(2, 1), places[p], NUMBERS(1, 0));
        Array a = array_of(FLOAT32, shape(3), places[p], NUMBERS(1, 2, 3));
        Array b = array_of(INT64, shape_scalar(), places[p], NUMBERS(9));
        Array out = {0};
        assert_int_equal(op_where(&which, &a, &b, &out), OK);
        check_array(&out, FLOAT32, shape(2, 3), places[p],
                    NUMBERS(1, 2, 3, 9, 9, 9));
        check_failure(op_where(&a, &a, &b, &out), ERR_RUNTIME,
                      "where expected condition to be a boolean tensor, but "
                      "got a tensor with dtype Float");
        array_release(&which);
        array_release(&a);
        array_release(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(x_changes_where_it_is),
        cmocka_unit_test(a_view_changes_its_base),
        cmocka_unit_test(overlapping_windows_are_safe),
        cmocka_unit_test(dtypes_stay),
        cmocka_unit_test(x_does_not_grow),
        cmocka_unit_test(scaled_adding_takes_guests),
        cmocka_unit_test(scaled_adding_is_one_fma),
        cmocka_unit_test(where_chooses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

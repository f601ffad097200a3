/* Elementwise ops against values in the test, here and on a GPU. */
#include "arrays.h"          // defines: places, array_of, check_array
#include "ops/elementwise.h" // defines: op_unary, op_binary

static void unary(Unary op, DType dtype, const double *in, DType made,
                  const double *expected)
{
    for (int p = 0; p < N_PLACES; p++) {
        Array x = array_of(dtype, shape(3), places[p], in);
        Array out = {0};
        assert_int_equal(op_unary(op, &x, &out), OK);
        check_array(&out, made, shape(3), places[p], expected);
        array_release(&x);
    }
}

static void one_input(void **state)
{
    (void)state;
    unary(UNARY_NEG, INT32, NUMBERS(1, -2, INT32_MIN), INT32,
          NUMBERS(-1, 2, INT32_MIN));
    unary(UNARY_NEG, UINT8, NUMBERS(0, 1, 255), UINT8, NUMBERS(0, 255, 1));
    unary(UNARY_NEG, FLOAT32, NUMBERS(1.5, 0, -INFINITY), FLOAT32,
          NUMBERS(-1.5, 0, INFINITY));
    unary(UNARY_ABS, INT64, NUMBERS(-3, 0, 4), INT64, NUMBERS(3, 0, 4));
    unary(UNARY_SQUARE, INT64, NUMBERS(1, 2, 3), INT64,
          NUMBERS(1, 4, 9)); // seeds 0.9
    unary(UNARY_SQUARE, BOOL, NUMBERS(1, 0, 1), INT64, NUMBERS(1, 0, 1));
    unary(UNARY_SQUARE, FLOAT16, NUMBERS(256, -2, 0.5), FLOAT16,
          NUMBERS(INFINITY, 4, 0.25));
    unary(UNARY_RELU, FLOAT32, NUMBERS(-1, 2, NAN), FLOAT32,
          NUMBERS(0, 2, NAN));
    unary(UNARY_RELU, INT32, NUMBERS(-1, 0, 2), INT32, NUMBERS(0, 0, 2));
    unary(UNARY_SQRT, FLOAT64, NUMBERS(4, 2.25, -1), FLOAT64,
          NUMBERS(2, 1.5, NAN));
    unary(UNARY_SQRT, INT64, NUMBERS(4, 9, 16), FLOAT32, NUMBERS(2, 3, 4));
    unary(UNARY_EXP, FLOAT64, NUMBERS(0, 1, -INFINITY), FLOAT64,
          NUMBERS(1, 2.718281828459045, 0));
    unary(UNARY_LOG, FLOAT64, NUMBERS(1, 0, -1), FLOAT64,
          NUMBERS(0, -INFINITY, NAN));
    unary(UNARY_TANH, FLOAT32, NUMBERS(0, 100, -100), FLOAT32,
          NUMBERS(0, 1, -1));
    unary(UNARY_SIGMOID, BFLOAT16, NUMBERS(0, 100, -100), BFLOAT16,
          NUMBERS(0.5, 1, 0));
}

static void no_sign_for_bools(void **state)
{
    (void)state;
    Array x = array_of(BOOL, shape(1), device_cpu(), NUMBERS(1));
    Array out = {0};
    check_failure(op_unary(UNARY_NEG, &x, &out), ERR_RUNTIME,
                  "Negation, the `-` operator, on a bool tensor is not "
                  "supported. If you are trying to invert a mask, use the `~` "
                  "or `logical_not()` operator instead.");
    check_failure(op_unary(UNARY_ABS, &x, &out), ERR_RUNTIME,
                  "\"abs_cpu\" not implemented for 'Bool'");
    check_failure(
        op_sub(&x, &x, &out), ERR_RUNTIME,
        "Subtraction, the `-` operator, with two bool tensors is not "
        "supported. Use the `^` or `logical_xor()` operator instead.");
    const char *one_bool =
        "Subtraction, the `-` operator, with a bool tensor is not supported. "
        "If you are trying to invert a mask, use the `~` or `logical_not()` "
        "operator instead.";
    Array y = array_of(FLOAT32, shape(1), device_cpu(), NUMBERS(1));
    check_failure(op_sub(&x, &y, &out), ERR_RUNTIME, one_bool);
    check_failure(op_binary_scalar(BINARY_SUB, &x, scalar_int(1), &out),
                  ERR_RUNTIME, one_bool);
    check_failure(op_scalar_binary(BINARY_SUB, scalar_bool(true), &y, &out),
                  ERR_RUNTIME, one_bool);
    check_failure(op_binary_into(BINARY_SUB, &y, &x), ERR_RUNTIME, one_bool);
    check_failure(op_binary_scalar_into(BINARY_SUB, &y, scalar_bool(true)),
                  ERR_RUNTIME, one_bool);
    array_release(&y);
    check_failure(op_binary(BINARY_POW, &x, &x, &out), ERR_RUNTIME,
                  "\"pow\" not implemented for 'Bool'");
    array_release(&x);
}

static void binary(Binary op, DType a, const double *in_a, DType b,
                   const double *in_b, DType made, const double *expected)
{
    for (int p = 0; p < N_PLACES; p++) {
        Array x = array_of(a, shape(3), places[p], in_a);
        Array y = array_of(b, shape(3), places[p], in_b);
        Array out = {0};
        assert_int_equal(op_binary(op, &x, &y, &out), OK);
        check_array(&out, made, shape(3), places[p], expected);
        array_release(&x);
        array_release(&y);
    }
}

static void two_inputs(void **state)
{
    (void)state;
    binary(BINARY_ADD, INT32, NUMBERS(1, INT32_MAX, -3), INT32,
           NUMBERS(2, 1, 3), INT32, NUMBERS(3, INT32_MIN, 0));
    binary(BINARY_ADD, FLOAT16, NUMBERS(60000, 1, 2048), FLOAT16,
           NUMBERS(10000, 0.5, 1), FLOAT16, NUMBERS(INFINITY, 1.5, 2048));
    binary(BINARY_ADD, BOOL, NUMBERS(1, 1, 0), BOOL, NUMBERS(1, 0, 0), BOOL,
           NUMBERS(1, 1, 0));
    binary(BINARY_MUL, BOOL, NUMBERS(1, 1, 0), BOOL, NUMBERS(1, 0, 0), BOOL,
           NUMBERS(1, 0, 0));
    binary(BINARY_ADD, BOOL, NUMBERS(1, 1, 0), INT64, NUMBERS(1, 5, 7), INT64,
           NUMBERS(2, 6, 7));
    binary(BINARY_SUB, UINT8, NUMBERS(1, 2, 3), UINT8, NUMBERS(2, 2, 1), UINT8,
           NUMBERS(255, 0, 2));
    binary(BINARY_MUL, UINT8, NUMBERS(16, 15, 3), INT64, NUMBERS(16, 17, 2),
           INT64, NUMBERS(256, 255, 6));
    binary(BINARY_MUL, FLOAT16, NUMBERS(65504, 2, 3), FLOAT16, NUMBERS(2, 2, 3),
           FLOAT16, NUMBERS(INFINITY, 4, 9)); // seeds 3.6
    binary(BINARY_DIV, INT64, NUMBERS(1, 3, 0), INT64, NUMBERS(2, 0, 0),
           FLOAT32, NUMBERS(0.5, INFINITY, NAN));
    binary(BINARY_DIV, BFLOAT16, NUMBERS(1, 1, -1), BFLOAT16, NUMBERS(3, 0, 0),
           BFLOAT16, NUMBERS(0.333984375, INFINITY, -INFINITY));
    binary(BINARY_POW, INT64, NUMBERS(2, 1, -1), INT64, NUMBERS(-1, -1, -3),
           INT64, NUMBERS(0, 1, -1));
    binary(BINARY_POW, INT32, NUMBERS(3, -2, 10), INT32, NUMBERS(4, 3, 0),
           INT32, NUMBERS(81, -8, 1));
    binary(BINARY_POW, FLOAT64, NUMBERS(2, 9, 0), FLOAT64, NUMBERS(10, 0.5, 0),
           FLOAT64, NUMBERS(1024, 3, 1));
    binary(BINARY_MAXIMUM, FLOAT32, NUMBERS(1, NAN, 2), FLOAT32,
           NUMBERS(2, 1, NAN), FLOAT32, NUMBERS(2, NAN, NAN));
    binary(BINARY_MINIMUM, FLOAT32, NUMBERS(1, NAN, 2), FLOAT32,
           NUMBERS(2, 1, NAN), FLOAT32, NUMBERS(1, NAN, NAN));
    binary(BINARY_ADD, FLOAT16, NUMBERS(1, 2, 3), BFLOAT16, NUMBERS(1, 2, 3),
           FLOAT32, NUMBERS(2, 4, 6));
}

static void comparisons_make_bools(void **state)
{
    (void)state;
    static const struct {
        Binary op;
        double expected[3];
    } cases[] = {{BINARY_EQ, {0, 1, 0}}, {BINARY_NE, {1, 0, 1}},
                 {BINARY_LT, {1, 0, 0}}, {BINARY_LE, {1, 1, 0}},
                 {BINARY_GT, {0, 0, 0}}, {BINARY_GE, {0, 1, 0}}};
    for (int i = 0; i < 6; i++) {
        binary(cases[i].op, FLOAT32, NUMBERS(1, 2, NAN), INT64,
               NUMBERS(2, 2, 2), BOOL, cases[i].expected);
        binary(cases[i].op, INT32, NUMBERS(-1, 2, 2), INT32, NUMBERS(2, 2, 2),
               BOOL,
               NUMBERS(cases[i].expected[0], cases[i].expected[1],
                       cases[i].expected[1]));
    }
}

static void gradients_multiply_back(void **state)
{
    (void)state;
    binary(BINARY_RELU_BACKWARD, FLOAT32, NUMBERS(5, 6, 7), FLOAT32,
           NUMBERS(2, 0, 1), FLOAT32, NUMBERS(5, 0, 7));
    binary(BINARY_TANH_BACKWARD, FLOAT64, NUMBERS(4, 1, 1), FLOAT64,
           NUMBERS(0.5, 0, 1), FLOAT64, NUMBERS(3, 1, 0));
    binary(BINARY_SIGMOID_BACKWARD, FLOAT64, NUMBERS(8, 1, 1), FLOAT64,
           NUMBERS(0.5, 0, 1), FLOAT64, NUMBERS(2, 0, 0));
}

static void numbers_join_arrays(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array x = array_of(INT64, shape(3), places[p], NUMBERS(1, 2, 3));
        Array out = {0};
        assert_int_equal(op_add_scalar(&x, scalar_int(2), &out), OK);
        check_array(&out, INT64, shape(3), places[p], NUMBERS(3, 4, 5));
        op_mul_scalar(&x, scalar_real(0.5), &out);
        check_array(&out, FLOAT32, shape(3), places[p], NUMBERS(0.5, 1, 1.5));
        op_pow_scalar(&x, scalar_int(2), &out);
        check_array(&out, INT64, shape(3), places[p],
                    NUMBERS(1, 4, 9)); // seeds 0.9
        op_pow_scalar(&x, scalar_real(-1.0), &out);
        check_array(&out, FLOAT32, shape(3), places[p],
                    NUMBERS(1, 0.5, (float)(1.0 / 3)));
        check_failure(op_pow_scalar(&x, scalar_int(-1), &out), ERR_RUNTIME,
                      "Integers to negative integer powers are not allowed.");
        op_scalar_binary(BINARY_SUB, scalar_int(10), &x, &out);
        check_array(&out, INT64, shape(3), places[p], NUMBERS(9, 8, 7));
        op_scalar_binary(BINARY_DIV, scalar_int(6), &x, &out);
        check_array(&out, FLOAT32, shape(3), places[p], NUMBERS(6, 3, 2));
        op_binary_scalar(BINARY_GT, &x, scalar_real(1.5), &out);
        check_array(&out, BOOL, shape(3), places[p], NUMBERS(0, 1, 1));
        array_release(&x);
        // Two powers that PyTorch does without pow: 1 / (x x), 1 / sqrt x.
        x = array_of(FLOAT32, shape(2), places[p], NUMBERS(-INFINITY, -0.0));
        op_pow_scalar(&x, scalar_real(-0.5), &out);
        check_array(&out, FLOAT32, shape(2), places[p],
                    NUMBERS(NAN, -INFINITY));
        op_pow_scalar(&x, scalar_int(-2), &out);
        check_array(&out, FLOAT32, shape(2), places[p], NUMBERS(0, INFINITY));
        array_release(&x);
        x = array_of(BOOL, shape(1), places[p], NUMBERS(1));
        check_failure(op_unary(UNARY_RELU, &x, &out), ERR_RUNTIME,
                      "Boolean inputs not supported for relu");
        array_release(&x);
        // A number is rounded to the dtype before it is used.
        x = array_of(FLOAT16, shape(1), places[p], NUMBERS(0));
        op_add_scalar(&x, scalar_real(0.1), &out);
        check_array(&out, FLOAT16, shape(1), places[p],
                    NUMBERS(0.0999755859375));
        array_release(&x);
    }
}

static void shapes_stretch(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array row = array_of(FLOAT32, shape(3), places[p], NUMBERS(1, 2, 3));
        Array column =
            array_of(FLOAT32, shape(2, 1), places[p], NUMBERS(10, 20));
        Array one = array_of(FLOAT32, shape_scalar(), places[p], NUMBERS(5));
        Array out = {0};
        assert_int_equal(op_add(&row, &column, &out), OK);
        check_array(&out, FLOAT32, shape(2, 3), places[p],
                    NUMBERS(11, 12, 13, 21, 22, 23));
        op_sub(&one, &row, &out);
        check_array(&out, FLOAT32, shape(3), places[p], NUMBERS(4, 3, 2));
        op_mul(&one, &one, &out);
        check_array(&out, FLOAT32, shape_scalar(), places[p], NUMBERS(25));
        Array none = array_of(FLOAT32, shape(0), places[p], NUMBERS(0));
        op_add(&none, &one, &out);
        check_array(&out, FLOAT32, shape(0), places[p], NUMBERS(0));
        array_release(&none);
        array_release(&row);
        array_release(&column);
        array_release(&one);
    }
}

/* seeds T19 */
static void a_guest_from_the_cpu_joins(void **state)
{
    (void)state;
    Array x = array_of(INT64, shape(2), device_cuda(7), NUMBERS(1, 2));
    Array guest = array_of(FLOAT64, shape_scalar(), device_cpu(), NUMBERS(3));
    Array out = {0};
    assert_int_equal(op_sub(&x, &guest, &out), OK);
    check_array(&out, FLOAT64, shape(2), device_cuda(7), NUMBERS(-2, -1));
    assert_int_equal(op_sub(&guest, &x, &out), OK);
    check_array(&out, FLOAT64, shape(2), device_cuda(7), NUMBERS(2, 1));
    array_release(&x);
    array_release(&guest);
}

/* seeds 0.10, seeds 1.3 */
static void places_do_not_mix(void **state)
{
    (void)state;
    Array x = array_of(INT64, shape(2), device_cpu(), NUMBERS(1, 2));
    Array y = array_of(INT64, shape(2), device_cuda(7), NUMBERS(1, 2));
    Array out = {0};
    const char *sentence = "expected device cuda:7 but got device cpu";
    check_failure(op_add(&y, &x, &out), ERR_DEVICE, sentence);
    check_failure(op_mul(&y, &x, &out), ERR_DEVICE, sentence);
    check_failure(op_binary_into(BINARY_ADD, &y, &x), ERR_DEVICE, sentence);
    check_failure(op_mul(&x, &y, &out), ERR_DEVICE,
                  "expected device cpu but got device cuda:7");
    assert_null(out.storage);
    array_release(&x);
    array_release(&y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_input),
        cmocka_unit_test(no_sign_for_bools),
        cmocka_unit_test(two_inputs),
        cmocka_unit_test(comparisons_make_bools),
        cmocka_unit_test(gradients_multiply_back),
        cmocka_unit_test(numbers_join_arrays),
        cmocka_unit_test(shapes_stretch),
        cmocka_unit_test(a_guest_from_the_cpu_joins),
        cmocka_unit_test(places_do_not_mix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

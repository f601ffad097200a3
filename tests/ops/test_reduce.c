/* Sums, means, maxima and comparisons, here and on a GPU. */
#include "arrays.h"          // defines: places, array_of, check_array
#include "ops/elementwise.h" // defines: op_unary
#include "ops/reduce.h"      // defines: op_sum, op_mean, op_max, op_equal
#include <stdlib.h>

static void sums_over_all(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array out = {0};
        Array x =
            array_of(UINT8, shape(2, 2), places[p], NUMBERS(200, 100, 1, 2));
        assert_int_equal(op_sum(&x, &out), OK);
        check_array(&out, INT64, shape_scalar(), places[p], NUMBERS(303));
        array_release(&x);
        x = array_of(BOOL, shape(3), places[p], NUMBERS(1, 0, 1));
        op_sum(&x, &out);
        check_array(&out, INT64, shape_scalar(), places[p], NUMBERS(2));
        array_release(&x);
        // In float16 the small ones would be lost one by one.
        x = array_of(FLOAT16, shape(5), places[p],
                     NUMBERS(2048, 0.5, 0.5, 0.5, 0.5));
        op_sum(&x, &out);
        check_array(&out, FLOAT16, shape_scalar(), places[p], NUMBERS(2050));
        array_release(&x);
        x = array_of(FLOAT32, shape(0), places[p], NUMBERS(0));
        op_sum(&x, &out);
        check_array(&out, FLOAT32, shape_scalar(), places[p], NUMBERS(0));
        op_mean(&x, &out);
        check_array(&out, FLOAT32, shape_scalar(), places[p], NUMBERS(NAN));
        array_release(&x);
        x = array_of(BFLOAT16, shape(4), places[p], NUMBERS(1, 2, 3, 5));
        op_mean(&x, &out);
        check_array(&out, BFLOAT16, shape_scalar(), places[p], NUMBERS(2.75));
        array_release(&x);
    }
}

static void sums_along_a_dim(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array x = array_of(FLOAT32, shape(2, 3), places[p],
                           NUMBERS(1, 2, 3, 4, 5, 6));
        Array turned = {0};
        Array out = {0};
        assert_int_equal(op_sum_dim(&x, 0, false, &out), OK);
        check_array(&out, FLOAT32, shape(3), places[p], NUMBERS(5, 7, 9));
        op_sum_dim(&x, -1, true, &out);
        check_array(&out, FLOAT32, shape(2, 1), places[p], NUMBERS(6, 15));
        op_mean_dim(&x, 1, false, &out);
        check_array(&out, FLOAT32, shape(2), places[p], NUMBERS(2, 5));
        array_transpose(&x, 0, 1, &turned);
        op_sum_dim(&turned, 1, false, &out);
        check_array(&out, FLOAT32, shape(3), places[p], NUMBERS(5, 7, 9));
        op_sum_to(&x, shape(1, 3), &out);
        check_array(&out, FLOAT32, shape(1, 3), places[p], NUMBERS(5, 7, 9));
        op_sum_to(&x, shape(3), &out);
        check_array(&out, FLOAT32, shape(3), places[p], NUMBERS(5, 7, 9));
        op_sum_to(&x, shape_scalar(), &out);
        check_array(&out, FLOAT32, shape_scalar(), places[p], NUMBERS(21));
        op_sum_to(&x, shape(2, 3), &out);
        assert_true(array_shares(&x, &out));
        array_release(&out);
        array_release(&turned);
        array_release(&x);
        x = array_of(FLOAT32, shape(0, 2), places[p], NUMBERS(0));
        op_sum_dim(&x, 0, false, &out);
        check_array(&out, FLOAT32, shape(2), places[p], NUMBERS(0, 0));
        array_release(&x);
    }
}

/* The tree of the header, spelt out. */
static float tree(float *x, int64_t n)
{
    while (n > 1) {
        int64_t groups = (n + 63) / 64;
        for (int64_t g = 0; g < groups; g++) {
            float sum = 0;
            for (int64_t at = g; at < n; at += groups)
                sum += x[at];
            x[g] = sum;
        }
        n = groups;
    }
    return x[0];
}

static void the_tree_is_fixed(void **state)
{
    (void)state;
    enum { N = 100003 };
    float *numbers = malloc(N * sizeof *numbers);
    for (int i = 0; i < N; i++)
        numbers[i] = 1.0F / (float)(1 + i * 7919 % N);
    for (int p = 0; p < N_PLACES; p++) {
        Array x = {0};
        Array sum = {0};
        float found = 0;
        op_from_host(FLOAT32, shape(N), numbers, places[p], &x);
        assert_int_equal(op_sum(&x, &sum), OK);
        assert_int_equal(op_read(&sum, &found), OK);
        float *copy = malloc(N * sizeof *copy);
        for (int i = 0; i < N; i++)
            copy[i] = numbers[i];
        float expected = tree(copy, N);
        assert_memory_equal(&found, &expected, sizeof found);
        free(copy);
        array_release(&x);
        array_release(&sum);
    }
    free(numbers);
}

static void maxima_are_the_first(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array x = array_of(INT32, shape(2, 3), places[p],
                           NUMBERS(5, 7, 7, -1, -2, -1));
        Array out = {0};
        Array where = {0};
        assert_int_equal(op_max(&x, &out), OK);
        check_array(&out, INT32, shape_scalar(), places[p], NUMBERS(7));
        op_argmax(&x, &out);
        check_array(&out, INT64, shape_scalar(), places[p], NUMBERS(1));
        assert_int_equal(op_max_dim(&x, 1, false, &out, &where), OK);
        check_array(&out, INT32, shape(2), places[p], NUMBERS(7, -1));
        check_array(&where, INT64, shape(2), places[p], NUMBERS(1, 0));
        op_argmax_dim(&x, 0, true, &out);
        check_array(&out, INT64, shape(1, 3), places[p], NUMBERS(0, 0, 0));
        array_release(&x);
        x = array_of(FLOAT32, shape(4), places[p], NUMBERS(1, NAN, 3, NAN));
        op_max_dim(&x, 0, false, &out, &where);
        check_array(&out, FLOAT32, shape_scalar(), places[p], NUMBERS(NAN));
        check_array(&where, INT64, shape_scalar(), places[p], NUMBERS(1));
        array_release(&x);
    }
}

/* More numbers than one level takes. */
static void long_maxima_are_found(void **state)
{
    (void)state;
    enum { N = 5000 };
    static double numbers[2 * N];
    for (int i = 0; i < 2 * N; i++)
        numbers[i] = i % 97;
    numbers[4321] = numbers[4400] = 1000;
    numbers[N + 17] = 2000;
    for (int p = 0; p < N_PLACES; p++) {
        Array x = array_of(FLOAT64, shape(2, N), places[p], numbers);
        Array out = {0};
        op_argmax_dim(&x, 1, false, &out);
        check_array(&out, INT64, shape(2), places[p], NUMBERS(4321, 17));
        op_max(&x, &out);
        check_array(&out, FLOAT64, shape_scalar(), places[p], NUMBERS(2000));
        array_release(&x);
    }
}

static void nothing_has_no_maximum(void **state)
{
    (void)state;
    Array x = array_of(FLOAT32, shape(0, 3), device_cpu(), NUMBERS(0));
    Array y = array_of(INT64, shape(2), device_cpu(), NUMBERS(1, 2));
    Array out = {0};
    check_failure(op_max(&x, &out), ERR_RUNTIME,
                  "max(): Expected reduction dim to be specified for "
                  "input.numel() == 0. Specify the reduction dim with the "
                  "'dim' argument.");
    check_failure(op_argmax(&x, &out), ERR_INDEX,
                  "argmax(): Expected reduction dim to be specified for "
                  "input.numel() == 0.");
    check_failure(op_max_dim(&x, 0, false, &out, NULL), ERR_INDEX,
                  "max(): Expected reduction dim 0 to have non-zero size.");
    check_failure(op_argmax_dim(&x, 0, false, &out), ERR_INDEX,
                  "argmax(): Expected reduction dim 0 to have non-zero size.");
    check_failure(op_sum_dim(&x, 2, false, &out), ERR_INDEX,
                  "Dimension out of range (expected to be in range of [-2, 1], "
                  "but got 2)");
    const char *mean =
        "mean(): could not infer output dtype. Input dtype must be either a "
        "floating point or complex dtype. Got: Long";
    check_failure(op_mean(&y, &out), ERR_RUNTIME, mean);
    check_failure(op_mean_dim(&y, 0, false, &out), ERR_RUNTIME, mean);
    array_release(&x);
    array_release(&y);
}

static bool equal(DType a, const double *in_a, DType b, const double *in_b,
                  Device device)
{
    Array x = array_of(a, shape(3), device, in_a);
    Array y = array_of(b, shape(3), device, in_b);
    bool same = false;
    assert_int_equal(op_equal(&x, &y, &same), OK);
    array_release(&x);
    array_release(&y);
    return same;
}

static bool close(double a, double b, double rtol, double atol, Device device)
{
    Array x = array_of(FLOAT32, shape(1), device, &a);
    Array y = array_of(FLOAT32, shape(1), device, &b);
    bool near = false;
    assert_int_equal(op_allclose(&x, &y, rtol, atol, &near), OK);
    array_release(&x);
    array_release(&y);
    return near;
}

static void arrays_compare(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Device d = places[p];
        assert_true(equal(INT64, NUMBERS(1, 2, 3), INT64, NUMBERS(1, 2, 3), d));
        assert_false(
            equal(INT64, NUMBERS(1, 2, 3), INT64, NUMBERS(1, 2, 4), d));
        assert_true(
            equal(INT64, NUMBERS(1, 2, 3), FLOAT32, NUMBERS(1, 2, 3), d));
        assert_false(
            equal(FLOAT32, NUMBERS(1, NAN, 3), FLOAT32, NUMBERS(1, NAN, 3), d));
        assert_true(close(1, 1.00001, 1e-4, 0, d));
        assert_false(close(1, 1.001, 1e-4, 0, d));
        assert_true(close(0, 1e-9, 0, 1e-8, d));
        assert_true(close(INFINITY, INFINITY, 0, 0, d));
        assert_false(close(INFINITY, 1, 1e9, 1e9, d));
        assert_false(close(1, INFINITY, 1e9, 1e9, d));
        assert_false(close(NAN, NAN, 1, 1, d));
    }
    Array x = array_of(INT64, shape(2), device_cpu(), NUMBERS(1, 2));
    Array y = array_of(FLOAT32, shape(2, 1), device_cpu(), NUMBERS(1, 2));
    Array z = array_of(INT64, shape(2), device_cuda(4), NUMBERS(1, 2));
    bool out = true;
    assert_int_equal(op_equal(&x, &y, &out), OK);
    assert_false(out);
    check_failure(op_allclose(&x, &y, 0, 0, &out), ERR_RUNTIME,
                  "Long did not match Float");
    check_failure(op_equal(&z, &x, &out), ERR_DEVICE,
                  "expected device cuda:4 but got device cpu");
    assert_int_equal(op_allclose(&x, &x, 0, 0, &out), OK);
    assert_true(out);
    array_release(&x);
    array_release(&y);
    array_release(&z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_over_all),
        cmocka_unit_test(sums_along_a_dim),
        cmocka_unit_test(the_tree_is_fixed),
        cmocka_unit_test(maxima_are_the_first),
        cmocka_unit_test(long_maxima_are_found),
        cmocka_unit_test(nothing_has_no_maximum),
        cmocka_unit_test(arrays_compare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

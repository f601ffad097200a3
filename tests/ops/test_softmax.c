/* Softmax and its logarithm, forward and backward, here and on a GPU. */
#include "arrays.h"      // defines: places, array_of, check_failure
#include "ops/softmax.h" // defines: op_softmax, op_log_softmax

typedef Status Forward(const Array *x, int dim, Array *out);
typedef Status Backward(const Array *grad, const Array *y, int dim, Array *out);

/* Within 1e-12 of the expected, then released. */
static void near(Array *a, const double *expected)
{
    double found[MAX_NUMBERS];
    assert_int_equal(op_read_doubles(a, found), OK);
    for (int64_t i = 0; i < array_count(a); i++)
        assert_true(fabs(found[i] - expected[i]) < 1e-12);
    array_release(a);
}

static void forward(Forward *op, int dim, const double *expected)
{
    for (int p = 0; p < N_PLACES; p++) {
        Array x = array_of(FLOAT64, shape(2, 3), places[p],
                           NUMBERS(0, 1, 2, 1000, 1000, 1000));
        Array out = {0};
        assert_int_equal(op(&x, dim, &out), OK);
        assert_true(device_equal(array_device(&out), places[p]));
        near(&out, expected);
        array_release(&x);
    }
}

static void rows_add_up(void **state)
{
    (void)state;
    const double e = 2.718281828459045;
    const double sum = 1 + e + e * e;
    forward(op_softmax, 1,
            NUMBERS(1 / sum, e / sum, e * e / sum, 1.0 / 3, 1.0 / 3, 1.0 / 3));
    forward(op_log_softmax, -1,
            NUMBERS(-log(sum), 1 - log(sum), 2 - log(sum), -log(3), -log(3),
                    -log(3)));
    forward(op_softmax, 0, NUMBERS(0, 0, 0, 1, 1, 1));
    forward(op_log_softmax, 0, NUMBERS(-1000, -999, -998, 0, 0, 0));
}

/* Against the difference quotient of sum(weights * forward(x)). */
static void backward_is_the_slope(void **state)
{
    (void)state;
    Forward *const forwards[] = {op_softmax, op_log_softmax};
    Backward *const backwards[] = {op_softmax_backward,
                                   op_log_softmax_backward};
    const double at[] = {0.3, -1, 2, 0.5, 0.25, -0.125};
    const double weights[] = {1, -2, 0.5, 3, 0.25, -1};
    for (int f = 0; f < 2; f++)
        for (int dim = 0; dim < 2; dim++)
            for (int p = 0; p < N_PLACES; p++) {
                Array x = array_of(FLOAT64, shape(2, 3), places[p], at);
                Array grad = array_of(FLOAT64, shape(2, 3), places[p], weights);
                Array y = {0};
                Array slope = {0};
                double found[6];
                assert_int_equal(forwards[f](&x, dim, &y), OK);
                assert_int_equal(backwards[f](&grad, &y, dim, &slope), OK);
                assert_int_equal(op_read_doubles(&slope, found), OK);
                for (int i = 0; i < 6; i++) {
                    double change = 0;
                    for (int side = -1; side <= 1; side += 2) {
                        double moved[6];
                        double out[6];
                        for (int j = 0; j < 6; j++)
                            moved[j] = at[j] + (i == j ? side * 1e-5 : 0);
                        Array z =
                            array_of(FLOAT64, shape(2, 3), places[p], moved);
                        Array w = {0};
                        forwards[f](&z, dim, &w);
                        op_read_doubles(&w, out);
                        for (int j = 0; j < 6; j++)
                            change += side * weights[j] * out[j];
                        array_release(&z);
                        array_release(&w);
                    }
                    assert_true(fabs(change / 2e-5 - found[i]) < 1e-8);
                }
                array_release(&x);
                array_release(&grad);
                array_release(&y);
                array_release(&slope);
            }
}

static void one_number_and_none(void **state)
{
    (void)state;
    Array x = array_of(FLOAT32, shape_scalar(), device_cpu(), NUMBERS(5));
    Array out = {0};
    assert_int_equal(op_softmax(&x, 0, &out), OK);
    check_array(&out, FLOAT32, shape_scalar(), device_cpu(), NUMBERS(1));
    array_release(&x);
    x = array_of(FLOAT32, shape(2, 0), device_cpu(), NUMBERS(5));
    assert_int_equal(op_log_softmax(&x, 1, &out), OK);
    check_array(&out, FLOAT32, shape(2, 0), device_cpu(), NUMBERS(1));
    array_release(&x);
}

static void bad_inputs_are_refused(void **state)
{
    (void)state;
    Array whole = array_of(INT64, shape(2), device_cpu(), NUMBERS(1, 2));
    Array x = array_of(FLOAT32, shape(2), device_cpu(), NUMBERS(1, 2));
    Array y = array_of(FLOAT32, shape(1, 2), device_cpu(), NUMBERS(1, 2));
    Array far = array_of(FLOAT32, shape(2), device_cuda(1), NUMBERS(1, 2));
    Array out = {0};
    check_failure(op_softmax(&whole, 0, &out), ERR_RUNTIME,
                  "\"softmax_lastdim_kernel_impl\" not implemented for 'Long'");
    check_failure(
        op_log_softmax(&whole, 0, &out), ERR_RUNTIME,
        "\"log_softmax_lastdim_kernel_impl\" not implemented for 'Long'");
    Array table = array_of(INT64, shape(1, 2), device_cpu(), NUMBERS(1, 2));
    check_failure(op_log_softmax(&table, 0, &out), ERR_RUNTIME,
                  "\"softmax_kernel_impl\" not implemented for 'Long'");
    array_release(&table);
    check_failure(op_softmax(&x, 5, &out), ERR_INDEX,
                  "Dimension out of range (expected to be in range of [-1, 0], "
                  "but got 5)");
    check_failure(op_softmax_backward(&x, &y, 0, &out), ERR_RUNTIME,
                  "the gradient is torch.float32 [2], but what went out was "
                  "torch.float32 [1, 2]");
    check_failure(op_log_softmax_backward(&far, &x, 0, &out), ERR_DEVICE,
                  "expected device cuda:1 but got device cpu");
    array_release(&whole);
    array_release(&x);
    array_release(&y);
    array_release(&far);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_add_up),
        cmocka_unit_test(backward_is_the_slope),
        cmocka_unit_test(one_number_and_none),
        cmocka_unit_test(bad_inputs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

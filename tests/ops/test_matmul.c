/* Products of matrices, here and on a GPU. */
#include "arrays.h"          // defines: places, array_of, check_array
#include "ops/elementwise.h" // defines: op_fill_into
#include "ops/matmul.h"      // defines: op_matmul, op_linear

static void product(DType dtype, Shape a, const double *in_a, Shape b,
                    const double *in_b, Shape made, const double *expected)
{
    for (int p = 0; p < N_PLACES; p++) {
        Array x = array_of(dtype, a, places[p], in_a);
        Array y = array_of(dtype, b, places[p], in_b);
        Array out = {0};
        assert_int_equal(op_matmul(&x, &y, &out), OK);
        check_array(&out, dtype, made, places[p], expected);
        array_release(&x);
        array_release(&y);
    }
}

static void every_rank_multiplies(void **state)
{
    (void)state;
    const double *six = NUMBERS(1, 2, 3, 4, 5, 6);
    const DType floats[] = {FLOAT16, BFLOAT16, FLOAT32, FLOAT64};
    for (int i = 0; i < 4; i++) {
        DType d = floats[i];
        product(d, shape(2, 3), six, shape(3, 2), six, shape(2, 2),
                NUMBERS(22, 28, 49, 64));
        product(d, shape(3), six, shape(3), six, shape_scalar(), NUMBERS(14));
        product(d, shape(2, 3), six, shape(3), six, shape(2), NUMBERS(14, 32));
        product(d, shape(3), six, shape(3, 2), six, shape(2), NUMBERS(22, 28));
        product(d, shape(2, 1, 3), six, shape(3, 1), six, shape(2, 1, 1),
                NUMBERS(14, 32));
        product(d, shape(2, 1, 3), six, shape(2, 3, 1), six, shape(2, 1, 1),
                NUMBERS(14, 77));
        product(d, shape(1, 3), six, shape(2, 3, 1), six, shape(2, 1, 1),
                NUMBERS(14, 32));
        product(d, shape(2, 0), six, shape(0, 2), six, shape(2, 2),
                NUMBERS(0, 0, 0, 0));
        product(d, shape(0, 3), six, shape(3, 2), six, shape(0, 2), NUMBERS(0));
    }
}

static void transposed_views_need_no_copy(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array a = array_of(FLOAT32, shape(3, 2), places[p],
                           NUMBERS(1, 4, 2, 5, 3, 6));
        Array b = array_of(FLOAT32, shape(2, 3), places[p],
                           NUMBERS(1, 3, 5, 2, 4, 6));
        Array x = {0};
        Array y = {0};
        Array out = {0};
        array_transpose(&a, 0, 1, &x);
        array_transpose(&b, 0, 1, &y);
        assert_int_equal(op_matmul(&x, &y, &out), OK);
        check_array(&out, FLOAT32, shape(2, 2), places[p],
                    NUMBERS(22, 28, 49, 64));
        array_release(&x);
        array_slice(&a, 0, 0, 2, &x); // rows of 2, and columns with gaps
        array_release(&y);
        array_slice(&b, 1, 0, 2, &y);
        assert_int_equal(op_matmul(&x, &y, &out), OK);
        check_array(&out, FLOAT32, shape(2, 2), places[p],
                    NUMBERS(9, 19, 12, 26));
        array_release(&x);
        array_release(&y);
        array_release(&a);
        array_release(&b);
    }
}

static void integers_multiply_on_the_cpu(void **state)
{
    (void)state;
    Array x = array_of(INT64, shape(1, 2), device_cpu(), NUMBERS(3, -4));
    Array y = array_of(INT64, shape(2, 1), device_cpu(), NUMBERS(5, 6));
    Array out = {0};
    assert_int_equal(op_matmul(&x, &y, &out), OK);
    check_array(&out, INT64, shape(1, 1), device_cpu(), NUMBERS(-9));
    array_release(&x);
    array_release(&y);
    x = array_of(INT64, shape(1, 1), device_cuda(1), NUMBERS(3));
    check_failure(op_matmul(&x, &x, &out), ERR_RUNTIME,
                  "\"addmm_cuda\" not implemented for 'Long'");
    array_release(&x);
    x = array_of(BOOL, shape(1, 1), device_cpu(), NUMBERS(1));
    check_failure(op_matmul(&x, &x, &out), ERR_RUNTIME,
                  "\"addmm_impl_cpu_\" not implemented for 'Bool'");
    array_release(&x);
}

static void linear_is_addmm(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array x = array_of(FLOAT32, shape(2, 3), places[p],
                           NUMBERS(1, 2, 3, 4, 5, 6));
        Array w = array_of(FLOAT32, shape(2, 3), places[p],
                           NUMBERS(1, 0, 0, 0, 1, 1));
        Array b = array_of(FLOAT32, shape(2), places[p], NUMBERS(10, 20));
        Array one = {0};
        Array out = {0};
        assert_int_equal(op_linear(&x, &w, &b, &out), OK);
        check_array(&out, FLOAT32, shape(2, 2), places[p],
                    NUMBERS(11, 25, 14, 31));
        op_linear(&x, &w, NULL, &out);
        check_array(&out, FLOAT32, shape(2, 2), places[p],
                    NUMBERS(1, 5, 4, 11));
        array_select(&x, 0, 1, &one);
        op_linear(&one, &w, &b, &out);
        check_array(&out, FLOAT32, shape(2), places[p], NUMBERS(14, 31));
        array_release(&one);
        array_unsqueeze(&x, 0, &one);
        op_linear(&one, &w, &b, &out);
        check_array(&out, FLOAT32, shape(1, 2, 2), places[p],
                    NUMBERS(11, 25, 14, 31));
        array_release(&one);
        array_release(&x);
        array_release(&w);
        array_release(&b);
    }
}

static void refused(DType a, Shape shape_a, DType b, Shape shape_b,
                    const char *sentence)
{
    static const double zeros[MAX_NUMBERS];
    Array x = array_of(a, shape_a, device_cpu(), zeros);
    Array y = array_of(b, shape_b, device_cpu(), zeros);
    Array out = {0};
    check_failure(op_matmul(&x, &y, &out), ERR_RUNTIME, sentence);
    assert_null(out.storage);
    array_release(&x);
    array_release(&y);
}

static void shapes_must_fit(void **state)
{
    (void)state;
    const DType f = FLOAT32;
    refused(f, shape(2, 4), f, shape(3, 1),
            "mat1 and mat2 shapes cannot be multiplied (2x4 and 3x1)");
    refused(f, shape(2, 2, 3), f, shape(4, 2),
            "mat1 and mat2 shapes cannot be multiplied (4x3 and 4x2)");
    refused(f, shape(3), f, shape(2, 2),
            "mat1 and mat2 shapes cannot be multiplied (1x3 and 2x2)");
    refused(f, shape(2, 3), f, shape(2), "size mismatch, got 2, 2x3,2");
    refused(f, shape(3), f, shape(2),
            "inconsistent tensor size, expected tensor [3] and src [2] to have "
            "the same number of elements, but got 3 and 2 elements "
            "respectively");
    refused(f, shape_scalar(), f, shape(2),
            "both arguments to matmul need to be at least 1D, but they are 0D "
            "and 1D");
    refused(f, shape(2, 2, 3), f, shape(2, 4, 2),
            "Expected size for first two dimensions of batch2 tensor to be: "
            "[2, 3] but got: [2, 4].");
    refused(f, shape(2, 2, 3), f, shape(3, 3, 2),
            "The size of tensor a (2) must match the size of tensor b (3) at "
            "non-singleton dimension 0");
    refused(f, shape(2, 2), FLOAT64, shape(2, 2),
            "expected scalar type Float but found Double");
    refused(f, shape(2), FLOAT64, shape(2),
            "dot : expected both vectors to have same dtype, but found Float "
            "and Double");
}

static void linear_asks_for_more(void **state)
{
    (void)state;
    const double *zeros = NUMBERS(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    Device cpu = device_cpu();
    Array x = array_of(FLOAT32, shape(2, 3), cpu, zeros);
    Array w = array_of(FLOAT32, shape(4, 3), cpu, zeros);
    Array wide = array_of(FLOAT64, shape(4, 3), cpu, zeros);
    Array b = array_of(FLOAT32, shape(4), cpu, zeros);
    Array b5 = array_of(FLOAT32, shape(5), cpu, zeros);
    Array x4 = array_of(FLOAT32, shape(2, 2, 2), cpu, zeros);
    Array out = {0};
    check_failure(op_linear(&x, &w, &b5, &out), ERR_RUNTIME,
                  "The expanded size of the tensor (4) must match the existing "
                  "size (5) at non-singleton dimension 1.  Target sizes: [2, "
                  "4].  Tensor sizes: [5]");
    check_failure(op_linear(&x4, &w, &b, &out), ERR_RUNTIME,
                  "mat1 and mat2 shapes cannot be multiplied (4x2 and 3x4)");
    check_failure(op_linear(&x, &wide, &b, &out), ERR_RUNTIME,
                  "self and mat2 must have the same dtype");
    Array wide_x = array_of(FLOAT64, shape(2, 3), cpu, zeros);
    check_failure(op_linear(&wide_x, &w, &b, &out), ERR_RUNTIME,
                  "mat1 and mat2 must have the same dtype");
    check_failure(op_linear(&wide_x, &w, NULL, &out), ERR_RUNTIME,
                  "expected scalar type Double but found Float");
    check_failure(op_linear(&x, &b, NULL, &out), ERR_RUNTIME,
                  "mat2 must be a matrix, got 1-D tensor");
    array_release(&x);
    array_release(&w);
    array_release(&wide);
    array_release(&wide_x);
    array_release(&b);
    array_release(&b5);
    array_release(&x4);
}

/* seeds 0.15, seeds 2.13 */
static void places_must_agree(void **state)
{
    (void)state;
    const double *ones = NUMBERS(1, 1, 1, 1);
    Array here = array_of(FLOAT32, shape(2, 2), device_cpu(), ones);
    Array there = array_of(FLOAT32, shape(2, 2), device_cuda(0), ones);
    Array far = array_of(FLOAT32, shape(2, 2), device_cuda(1), ones);
    Array bias = array_of(FLOAT32, shape(2), device_cuda(0), ones);
    Array bias_here = array_of(FLOAT32, shape(2), device_cpu(), ones);
    Array out = {0};
    check_failure(op_matmul(&here, &there, &out), ERR_DEVICE,
                  "Expected object of device type cuda but got device type cpu "
                  "for argument #1 'self' in call to _th_mm");
    check_failure(op_matmul(&there, &here, &out), ERR_DEVICE,
                  "Expected object of device type cuda but got device type cpu "
                  "for argument #2 'mat2' in call to _th_mm");
    check_failure(op_matmul(&there, &bias_here, &out), ERR_DEVICE,
                  "Expected object of device type cuda but got device type cpu "
                  "for argument #2 'vec' in call to _th_mv");
    check_failure(op_matmul(&bias_here, &bias, &out), ERR_DEVICE,
                  "Expected object of device type cuda but got device type cpu "
                  "for argument #1 'self' in call to _th_dot");
    check_failure(op_linear(&here, &there, &bias, &out), ERR_DEVICE,
                  "Expected object of device type cuda but got device type cpu "
                  "for argument #2 'mat1' in call to _th_addmm");
    check_failure(op_linear(&there, &here, &bias_here, &out), ERR_DEVICE,
                  "Expected object of device type cuda but got device type cpu "
                  "for argument #1 'self' in call to _th_addmm");
    check_failure(op_matmul(&there, &far, &out), ERR_DEVICE,
                  "expected device cuda:0 but got device cuda:1");
    assert_null(out.storage);
    array_release(&here);
    array_release(&there);
    array_release(&far);
    array_release(&bias);
    array_release(&bias_here);
}

/* k ascending from 0, each step rounded twice: the bits of this loop. */
static void the_order_is_fixed(void **state)
{
    (void)state;
    enum { M = 5, K = 300, N = 7 };
    static float a[M * K];
    static float b[K * N];
    float expected[M * N];
    float found[M * N];
    for (int i = 0; i < M * K; i++)
        a[i] = 1.0F / (float)(1 + i * 31 % 1009);
    for (int i = 0; i < K * N; i++)
        b[i] = 1.0F / (float)(3 + i * 17 % 911) - 0.01F;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            volatile float sum = 0; // no fma, no reordering
            for (int k = 0; k < K; k++) {
                volatile float term = a[i * K + k] * b[k * N + j];
                sum = sum + term;
            }
            expected[i * N + j] = sum;
        }
    for (int p = 0; p < N_PLACES; p++) {
        Array x = {0};
        Array y = {0};
        Array out = {0};
        op_from_host(FLOAT32, shape(M, K), a, places[p], &x);
        op_from_host(FLOAT32, shape(K, N), b, places[p], &y);
        assert_int_equal(op_matmul(&x, &y, &out), OK);
        assert_int_equal(op_read(&out, found), OK);
        assert_memory_equal(found, expected, sizeof found);
        array_release(&x);
        array_release(&y);
        array_release(&out);
    }
}

/* 2^21 multiply-adds and more: whoever does it, ones add up exactly. */
static void large_products_are_right(void **state)
{
    (void)state;
    enum { SIZE = 160 };
    const DType dtypes[] = {FLOAT32, FLOAT64, BFLOAT16};
    for (int p = 0; p < N_PLACES; p++)
        for (int i = 0; i < 3; i++) {
            Array x = {0};
            Array turned = {0};
            Array out = {0};
            Array row = {0};
            op_full(dtypes[i], shape(SIZE, SIZE), scalar_int(1), places[p], &x);
            array_select(&x, 0, 3, &row);
            assert_int_equal(op_fill_into(&row, scalar_int(2)), OK);
            array_release(&row);
            array_transpose(&x, 0, 1, &turned);
            assert_int_equal(op_matmul(&x, &turned, &out), OK);
            array_select(&out, 0, 3, &row);
            array_release(&out);
            array_slice(&row, 0, 2, 5, &out);
            array_release(&row);
            check_array(&out, dtypes[i], shape(3), places[p],
                        NUMBERS(320, 640, 320));
            array_release(&x);
            array_release(&turned);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rank_multiplies),
        cmocka_unit_test(transposed_views_need_no_copy),
        cmocka_unit_test(integers_multiply_on_the_cpu),
        cmocka_unit_test(linear_is_addmm),
        cmocka_unit_test(shapes_must_fit),
        cmocka_unit_test(linear_asks_for_more),
        cmocka_unit_test(places_must_agree),
        cmocka_unit_test(the_order_is_fixed),
        cmocka_unit_test(large_products_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Which inputs go together: devices, shapes, dims and dtypes. */
#include "arrays.h"    // defines: array_of, check_failure
#include "ops/check.h" // defines: check_devices, check_broadcast

static Array at(Device device, int n_dims)
{
    Shape sizes = {.n_dims = n_dims, .dims = {1, 1, 1}};
    return array_of(FLOAT32, sizes, device, NUMBERS(1));
}

/* ok: where it happens; otherwise the sentence. */
static void pair(Device a, int dims_a, Device b, int dims_b, Device where,
                 const char *sentence)
{
    Array left = at(a, dims_a);
    Array right = at(b, dims_b);
    const Array *arrays[] = {&left, &right};
    Device found = device_cuda(6);
    Status status = check_devices(arrays, 2, &found);
    if (sentence) {
        check_failure(status, ERR_DEVICE, sentence);
        assert_int_equal(found.index, 6);
    } else {
        assert_int_equal(status, OK);
        assert_true(device_equal(found, where));
    }
    array_release(&left);
    array_release(&right);
}

static void devices_must_agree(void **state)
{
    (void)state;
    Device cpu = device_cpu();
    Device g7 = device_cuda(7);
    Device g0 = device_cuda(0);
    pair(g7, 1, g7, 1, g7, NULL);
    pair(cpu, 1, cpu, 0, cpu, NULL);
    // seeds 0.10
    pair(g7, 1, cpu, 1, g7, "expected device cuda:7 but got device cpu");
    pair(cpu, 1, g7, 1, g7, "expected device cpu but got device cuda:7");
    // seeds 0.11, seeds T13
    pair(g7, 1, g0, 1, g7, "expected device cuda:7 but got device cuda:0");
    // seeds T19: 0-dimensional CPU arrays may join, and only those
    pair(g7, 1, cpu, 0, g7, NULL);
    pair(cpu, 0, g7, 1, g7, NULL);
    pair(cpu, 0, g7, 0, g7, NULL);
    pair(cpu, 1, g7, 0, g7, "expected device cpu but got device cuda:7");
    pair(g7, 0, cpu, 1, g7, "expected device cpu but got device cuda:7");
    pair(g0, 0, g7, 1, g7, "expected device cuda:7 but got device cuda:0");
}

static void no_guest_where_none_is_allowed(void **state)
{
    (void)state;
    Array a = at(device_cuda(1), 1);
    Array b = at(device_cpu(), 0);
    check_failure(check_same_device(&a, &b), ERR_DEVICE,
                  "expected device cuda:1 but got device cpu");
    array_release(&a);
    array_release(&b);
}

static void shapes_broadcast(void **state)
{
    (void)state;
    static const struct {
        Shape a, b, out;
    } good[] = {
        {{2, {2, 3}}, {1, {3}}, {2, {2, 3}}},
        {{1, {3}}, {2, {2, 1}}, {2, {2, 3}}},
        {{0, {0}}, {2, {4, 5}}, {2, {4, 5}}},
        {{3, {2, 1, 4}}, {2, {3, 1}}, {3, {2, 3, 4}}},
        {{2, {0, 3}}, {2, {1, 3}}, {2, {0, 3}}},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        Shape out;
        assert_int_equal(check_broadcast(good[i].a, good[i].b, &out), OK);
        assert_true(shape_equal(out, good[i].out));
    }
    Shape out = shape(9);
    check_failure(check_broadcast(shape(2, 3), shape(2, 4), &out), ERR_RUNTIME,
                  "The size of tensor a (3) must match the size of tensor b "
                  "(4) at non-singleton dimension 1");
    check_failure(check_broadcast(shape(4), shape(2, 3), &out), ERR_RUNTIME,
                  "The size of tensor a (4) must match the size of tensor b "
                  "(3) at non-singleton dimension 1");
    check_failure(check_broadcast(shape(2, 3, 4), shape(5, 1, 4), &out),
                  ERR_RUNTIME,
                  "The size of tensor a (2) must match the size of tensor b "
                  "(5) at non-singleton dimension 0");
    assert_true(shape_equal(out, shape(9)));
}

static void dims_wrap(void **state)
{
    (void)state;
    int dim = 9;
    assert_int_equal(shape_dim(-1, 3, &dim), OK);
    assert_int_equal(dim, 2);
    assert_int_equal(shape_dim(-1, 0, &dim), OK);
    assert_int_equal(dim, 0);
    check_failure(shape_dim(5, 2, &dim), ERR_INDEX,
                  "Dimension out of range (expected to be in range of [-2, 1], "
                  "but got 5)");
    check_failure(shape_dim(-2, 0, &dim), ERR_INDEX,
                  "Dimension out of range (expected to be in range of [-1, 0], "
                  "but got -2)");
}

static DType of(DType a, int dims_a, DType b, int dims_b)
{
    Array left = {.dtype = a, .shape = {.n_dims = dims_a}};
    Array right = {.dtype = b, .shape = {.n_dims = dims_b}};
    DType one = check_result_dtype(&left, &right);
    assert_int_equal(check_result_dtype(&right, &left), one);
    return one;
}

static DType with(DType a, Scalar b)
{
    Array left = {.dtype = a, .shape = {.n_dims = 1}};
    DType one = check_result_dtype_scalar(&left, b);
    left.shape.n_dims = 0;
    assert_int_equal(check_result_dtype_scalar(&left, b), one);
    return one;
}

/* As PyTorch 1.13's torch.result_type. */
static void categories_decide(void **state)
{
    (void)state;
    assert_int_equal(of(FLOAT32, 1, FLOAT64, 0), FLOAT32);
    assert_int_equal(of(INT64, 1, FLOAT64, 0), FLOAT64);
    assert_int_equal(of(INT32, 1, INT64, 0), INT32);
    assert_int_equal(of(BOOL, 1, INT32, 0), INT32);
    assert_int_equal(of(INT32, 0, FLOAT16, 0), FLOAT16);
    assert_int_equal(of(FLOAT32, 0, FLOAT64, 0), FLOAT64);
    assert_int_equal(of(FLOAT16, 1, BFLOAT16, 1), FLOAT32);
    assert_int_equal(of(FLOAT16, 2, BFLOAT16, 0), FLOAT16);
    assert_int_equal(with(INT64, scalar_real(1.5)), FLOAT32);
    assert_int_equal(with(FLOAT16, scalar_real(1.5)), FLOAT16);
    assert_int_equal(with(INT32, scalar_int(1)), INT32);
    assert_int_equal(with(UINT8, scalar_bool(true)), UINT8);
    assert_int_equal(with(BOOL, scalar_int(1)), INT64);
    assert_int_equal(with(BOOL, scalar_bool(true)), BOOL);
    assert_int_equal(with(FLOAT64, scalar_int(1)), FLOAT64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_must_agree),
        cmocka_unit_test(no_guest_where_none_is_allowed),
        cmocka_unit_test(shapes_broadcast),
        cmocka_unit_test(dims_wrap),
        cmocka_unit_test(categories_decide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

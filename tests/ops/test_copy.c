/* The same numbers elsewhere: casts, moves, orders, selections. */
#include "arrays.h"        // defines: places, array_of, check_array
#include "device/ledger.h" // defines: ledger_now, ledger_since
#include "device/stream.h" // defines: device_enter
#include "ops/copy.h"      // defines: op_to, op_cast, op_cat
#include <string.h>

static void cast(DType from, const double *in, DType to, const double *expected)
{
    for (int p = 0; p < N_PLACES; p++) {
        Array x = array_of(from, shape(3), places[p], in);
        Array out = {0};
        assert_int_equal(op_cast(&x, to, &out), OK);
        check_array(&out, to, shape(3), places[p], expected);
        array_release(&x);
    }
}

/* As PyTorch 1.13 on an x86 CPU. */
static void casts_are_pytorchs(void **state)
{
    (void)state;
    cast(FLOAT32, NUMBERS(2.7, -2.7, 0.5), INT64, NUMBERS(2, -2, 0));
    cast(FLOAT32, NUMBERS(NAN, INFINITY, 1e30), INT32,
         NUMBERS(INT32_MIN, INT32_MIN, INT32_MIN));
    cast(FLOAT64, NUMBERS(NAN, -INFINITY, 1e19), INT64,
         NUMBERS(-0x1p63, -0x1p63, -0x1p63));
    cast(FLOAT64, NUMBERS(2147483647.5, -2147483648.5, -1), INT32,
         NUMBERS(2147483647, -2147483648.0, -1));
    cast(FLOAT32, NUMBERS(300, -1, INFINITY), UINT8, NUMBERS(44, 255, 0));
    cast(INT64, NUMBERS(257, -1, 4294967298.0), INT32, NUMBERS(257, -1, 2));
    cast(INT32, NUMBERS(257, -1, 7), UINT8, NUMBERS(1, 255, 7));
    cast(FLOAT32, NUMBERS(NAN, 0, -0.1), BOOL, NUMBERS(1, 0, 1));
    cast(INT64, NUMBERS(256, 0, -1), BOOL, NUMBERS(1, 0, 1));
    cast(BOOL, NUMBERS(1, 0, 1), FLOAT16, NUMBERS(1, 0, 1));
    cast(INT64, NUMBERS(16777217, 1, -1), FLOAT32, NUMBERS(16777216, 1, -1));
    // seeds 3.6
    cast(FLOAT32, NUMBERS(70000, 65519.99, 1e-8), FLOAT16,
         NUMBERS(INFINITY, 65504, 0));
    cast(FLOAT64, NUMBERS(1e300, 1e-300, 0.1), FLOAT32,
         NUMBERS(INFINITY, 0, (float)0.1));
    cast(FLOAT16, NUMBERS(65504, 0.5, NAN), BFLOAT16, NUMBERS(65536, 0.5, NAN));
    cast(BFLOAT16, NUMBERS(65536, -2.5, 1), FLOAT16,
         NUMBERS(INFINITY, -2.5, 1));
    cast(UINT8, NUMBERS(200, 1, 0), BFLOAT16, NUMBERS(200, 1, 0));
    // seeds 4.1
    cast(FLOAT32, NUMBERS(1, 2, 3), FLOAT64, NUMBERS(1, 2, 3));
}

/* A cast to the same dtype is a copy; its bits stay. */
static void a_nan_keeps_its_bits(void **state)
{
    (void)state;
    uint32_t bits = 0x7fc01234;
    for (int p = 0; p < N_PLACES; p++) {
        Array x = {0};
        Array out = {0};
        uint32_t found = 0;
        op_from_host(FLOAT32, shape(1), &bits, places[p], &x);
        assert_int_equal(op_cast(&x, FLOAT32, &out), OK);
        assert_false(array_shares(&x, &out));
        assert_int_equal(op_read(&out, &found), OK);
        assert_int_equal(found, bits);
        array_release(&x);
        array_release(&out);
    }
}

/* seeds 0.6: a copy; x stays where it was */
static void moving_is_one_transfer(void **state)
{
    (void)state;
    Array x = array_of(INT64, shape(3), device_cpu(), NUMBERS(1, 2, 3));
    Array x7 = {0};
    Array x2 = {0};
    Ledger mark = ledger_now();
    assert_int_equal(op_to(&x, device_cuda(7), &x7), OK);
    assert_int_equal(op_to(&x7, device_cuda(2), &x2), OK);
    Ledger d = ledger_since(&mark);
    assert_int_equal(d.host_to_device.n_copies, 1);
    assert_int_equal(d.host_to_device.n_bytes, 24);
    assert_int_equal(d.peer.n_copies, 1);
    assert_int_equal(d.peer.n_bytes, 24);
    assert_int_equal(d.n_synchronizations, 1); // peers do not stop the host
    assert_int_equal(d.n_launches, 0);
    check_array(&x, INT64, shape(3), device_cpu(), NUMBERS(1, 2, 3));
    check_array(&x7, INT64, shape(3), device_cuda(7), NUMBERS(1, 2, 3));
    check_array(&x2, INT64, shape(3), device_cuda(2), NUMBERS(1, 2, 3));
}

static void plain_cuda_is_the_current_gpu(void **state)
{
    (void)state;
    Array x = array_of(INT64, shape(1), device_cpu(), NUMBERS(1));
    Array moved = {0};
    assert_int_equal(cuda_set_device(5), OK);
    assert_int_equal(op_to(&x, device_cuda(-1), &moved), OK);
    assert_int_equal(cuda_set_device(0), OK);
    check_array(&moved, INT64, shape(1), device_cuda(5), NUMBERS(1));
    array_release(&x);
}

static void order_is_restored(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array x =
            array_of(INT32, shape(2, 3), places[p], NUMBERS(1, 2, 3, 4, 5, 6));
        Array turned = {0};
        Array out = {0};
        array_transpose(&x, 0, 1, &turned);
        assert_int_equal(op_clone(&turned, &out), OK);
        assert_true(array_is_contiguous(&out));
        check_array(&out, INT32, shape(3, 2), places[p],
                    NUMBERS(1, 4, 2, 5, 3, 6));
        assert_int_equal(op_contiguous(&x, &out), OK);
        assert_true(array_shares(&x, &out));
        array_release(&out);
        // Across places a strided array is put in order first.
        assert_int_equal(op_to(&turned, places[1 - p], &out), OK);
        check_array(&out, INT32, shape(3, 2), places[1 - p],
                    NUMBERS(1, 4, 2, 5, 3, 6));
        assert_int_equal(op_reshape(&turned, shape(-1), &out), OK);
        assert_false(array_shares(&x, &out));
        check_array(&out, INT32, shape(6), places[p],
                    NUMBERS(1, 4, 2, 5, 3, 6));
        assert_int_equal(op_reshape(&x, shape(3, 2), &out), OK);
        assert_true(array_shares(&x, &out));
        array_release(&out);
        check_failure(op_reshape(&turned, shape(4), &out), ERR_RUNTIME,
                      "shape '[4]' is invalid for input of size 6");
        array_release(&turned);
        array_release(&x);
    }
}

/* From each place and dtype into a column of another. */
static void values_are_copied_into(void **state)
{
    (void)state;
    const Device all[] = {device_cpu(), device_cuda(0), device_cuda(6)};
    for (int from = 0; from < 3; from++)
        for (int to = 0; to < 3; to++) {
            Array x =
                array_of(FLOAT32, shape(2, 2), all[to], NUMBERS(1, 2, 3, 4));
            Array y = array_of(INT64, shape(2), all[from], NUMBERS(7, 8));
            Array column = {0};
            array_select(&x, 1, 1, &column);
            assert_int_equal(op_copy_into(&column, &y), OK);
            array_release(&column);
            Array whole =
                array_of(FLOAT32, shape(2, 2), all[to], NUMBERS(0, 0, 0, 0));
            assert_int_equal(op_copy_into(&whole, &y), OK);
            check_array(&whole, FLOAT32, shape(2, 2), all[to],
                        NUMBERS(7, 8, 7, 8));
            check_failure(op_copy_into(&y, &x), ERR_RUNTIME,
                          "output with shape [2] doesn't match the broadcast "
                          "shape [2, 2]");
            Array three =
                array_of(INT64, shape(3), all[from], NUMBERS(7, 8, 9));
            check_failure(op_copy_into(&x, &three), ERR_RUNTIME,
                          "The size of tensor a (2) must match the size of "
                          "tensor b (3) at non-singleton dimension 1");
            array_release(&three);
            array_release(&y);
            check_array(&x, FLOAT32, shape(2, 2), all[to], NUMBERS(1, 7, 3, 8));
        }
}

static void overlapping_copies_are_safe(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array x = array_of(INT64, shape(4), places[p], NUMBERS(1, 2, 3, 4));
        Array head = {0};
        Array tail = {0};
        array_slice(&x, 0, 0, 3, &head);
        array_slice(&x, 0, 1, 4, &tail);
        assert_int_equal(op_copy_into(&tail, &head), OK);
        array_release(&head);
        array_release(&tail);
        check_array(&x, INT64, shape(4), places[p], NUMBERS(1, 1, 2, 3));
        x = array_of(INT64, shape(2, 2), places[p], NUMBERS(1, 2, 3, 4));
        array_transpose(&x, 0, 1, &head);
        assert_int_equal(op_copy_into(&x, &head), OK);
        array_release(&head);
        check_array(&x, INT64, shape(2, 2), places[p], NUMBERS(1, 3, 2, 4));
    }
}

static void arrays_are_joined(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array a = array_of(INT64, shape(1, 2), places[p], NUMBERS(1, 2));
        Array b =
            array_of(FLOAT32, shape(2, 2), places[p], NUMBERS(3, 4, 5, 6));
        Array none = array_of(FLOAT32, shape(0), places[p], NUMBERS(0));
        const Array *list[] = {&a, &none, &b};
        Array out = {0};
        assert_int_equal(op_cat(list, 3, 0, &out), OK);
        check_array(&out, FLOAT32, shape(3, 2), places[p],
                    NUMBERS(1, 2, 3, 4, 5, 6));
        const Array *twice[] = {&b, &b};
        assert_int_equal(op_cat(twice, 2, -1, &out), OK);
        check_array(&out, FLOAT32, shape(2, 4), places[p],
                    NUMBERS(3, 4, 3, 4, 5, 6, 5, 6));
        array_release(&a);
        array_release(&b);
        array_release(&none);
    }
}

static void bad_joins_are_refused(void **state)
{
    (void)state;
    Device cpu = device_cpu();
    Array a = array_of(FLOAT32, shape(1, 3), cpu, NUMBERS(1, 2, 3));
    Array b = array_of(FLOAT32, shape(1, 4), cpu, NUMBERS(1, 2, 3, 4));
    Array c = array_of(FLOAT32, shape(3), cpu, NUMBERS(1, 2, 3));
    Array d = array_of(FLOAT32, shape_scalar(), cpu, NUMBERS(1));
    Array e = array_of(FLOAT32, shape(1, 3), device_cuda(1), NUMBERS(1, 2, 3));
    const Array *sizes[] = {&a, &b};
    const Array *dims[] = {&c, &a};
    const Array *single[] = {&d, &a};
    const Array *far[] = {&e, &a};
    Array out = {0};
    check_failure(op_cat(sizes, 2, 0, &out), ERR_RUNTIME,
                  "Sizes of tensors must match except in dimension 0. Expected "
                  "size 3 but got size 4 for tensor number 1 in the list.");
    check_failure(op_cat(dims, 2, 0, &out), ERR_RUNTIME,
                  "Tensors must have same number of dimensions: got 1 and 2");
    check_failure(op_cat(single, 2, 0, &out), ERR_RUNTIME,
                  "zero-dimensional tensor (at position 0) cannot be "
                  "concatenated");
    check_failure(op_cat(sizes, 0, 0, &out), ERR_RUNTIME,
                  "torch.cat(): expected a non-empty list of Tensors");
    check_failure(op_cat(far, 2, 0, &out), ERR_DEVICE,
                  "expected device cuda:1 but got device cpu");
    check_failure(op_cat(sizes, 1, 2, &out), ERR_INDEX,
                  "Dimension out of range (expected to be in range of [-2, 1], "
                  "but got 2)");
    assert_null(out.storage);
    array_release(&a);
    array_release(&b);
    array_release(&c);
    array_release(&d);
    array_release(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(casts_are_pytorchs),
        cmocka_unit_test(a_nan_keeps_its_bits),
        cmocka_unit_test(moving_is_one_transfer),
        cmocka_unit_test(plain_cuda_is_the_current_gpu),
        cmocka_unit_test(order_is_restored),
        cmocka_unit_test(values_are_copied_into),
        cmocka_unit_test(overlapping_copies_are_safe),
        cmocka_unit_test(arrays_are_joined),
        cmocka_unit_test(bad_joins_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

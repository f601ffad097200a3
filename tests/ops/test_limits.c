/* Sizes that do not fit where they go, and dtypes that are not what a kernel
 * writes. */
#include "arrays.h"          // defines: array_of, check_array, check_failure
#include "device/storage.h"  // defines: storage_borrow
#include "ops/elementwise.h" // defines: op_binary
#include "ops/matmul.h"      // defines: op_matmul
#include "ops/random.h"      // defines: op_randint_into

/* n numbers that nobody will look at, on a GPU. */
static Array borrowed(Array *real, Shape shape, size_t n)
{
    Array out = {0};
    Storage *storage =
        storage_borrow(places[1], array_data(real), n * 4, NULL, NULL);
    assert_int_equal(array_over(storage, 0, FLOAT32, shape, &out), OK);
    return out;
}

/* cuBLAS takes ints: 2^32 + 1 must not arrive there as 1. */
static void a_product_larger_than_an_int_is_refused(void **state)
{
    (void)state;
    const int64_t k = ((int64_t)1 << 32) + 1;
    Array real = array_of(FLOAT32, shape(1), places[1], NUMBERS(1));
    Array row = borrowed(&real, shape(1, k), (size_t)k);
    Array column = borrowed(&real, shape(k, 1), (size_t)k);
    Array out = {0};
    check_failure(op_matmul(&row, &column, &out), ERR_RUNTIME,
                  "at::cuda::blas::gemm argument k must be non-negative and "
                  "less than 2147483647 but got 4294967297");
    assert_null(out.storage);
    array_release(&row);
    array_release(&column);
    array_release(&real);
}

static void a_window_may_not_begin_past_all_addresses(void **state)
{
    (void)state;
    Array out = {0};
    Storage *storage = storage_new(device_cpu(), 64);
    int64_t offset = (int64_t)1 << 61; // times 8 it wraps to 0
    assert_int_equal(array_over(storage, offset, FLOAT64, shape(8), &out),
                     ERR_RUNTIME);
    assert_int_equal(status_take(), ERR_RUNTIME);
    storage_release(storage);
}

/* Integers are drawn as INT64 and go into any dtype, as PyTorch's random_. */
static void random_integers_fit_their_dtype(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array both = {0}, half = {0}, rest = {0};
        op_full(UINT8, shape(8), scalar_int(9), places[p], &both);
        array_slice(&both, 0, 0, 4, &half);
        array_slice(&both, 0, 4, 8, &rest);
        assert_int_equal(op_randint_into(&half, 5, 6), OK);
        check_array(&half, UINT8, shape(4), places[p], NUMBERS(5, 5, 5, 5));
        check_array(&rest, UINT8, shape(4), places[p], NUMBERS(9, 9, 9, 9));
        array_release(&both);
    }
}

static void no_number_is_the_same_as_no_number(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array a = array_of(FLOAT16, shape(3), places[p], NUMBERS(1, NAN, NAN));
        Array b = array_of(FLOAT16, shape(3), places[p], NUMBERS(1, NAN, 2));
        Array out = {0};
        assert_int_equal(op_binary(BINARY_SAME, &a, &b, &out), OK);
        check_array(&out, BOOL, shape(3), places[p], NUMBERS(1, 1, 0));
        array_release(&a);
        array_release(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_product_larger_than_an_int_is_refused),
        cmocka_unit_test(a_window_may_not_begin_past_all_addresses),
        cmocka_unit_test(random_integers_fit_their_dtype),
        cmocka_unit_test(no_number_is_the_same_as_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

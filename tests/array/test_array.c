/* Arrays: windows on counted storage, and their failures. */
#include "array/array.h" // defines: Array, array_new, array_over
#include "base/status.h" // defines: status_take, status_sentence
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void an_array_is_in_c_order(void **state)
{
    (void)state;
    Array a = {0};
    assert_int_equal(array_new(FLOAT32, shape(2, 3, 4), device_cpu(), &a), OK);
    assert_int_equal(a.strides[0], 12);
    assert_int_equal(a.strides[1], 4);
    assert_int_equal(a.strides[2], 1);
    assert_int_equal(array_count(&a), 24);
    assert_int_equal(array_bytes(&a), 96);
    assert_true(array_is_contiguous(&a));
    assert_true(device_equal(array_device(&a), device_cpu()));
    assert_ptr_equal(array_data(&a), storage_data(a.storage));
    array_release(&a);
    assert_null(a.storage);
    array_release(&a);
}

static void sharing_counts(void **state)
{
    (void)state;
    Array a = {0};
    array_new(INT64, shape(3), device_cpu(), &a);
    ((int64_t *)array_data(&a))[2] = 42;
    Array b = array_share(&a);
    assert_true(array_shares(&a, &b));
    array_release(&a);
    assert_int_equal(((int64_t *)array_data(&b))[2], 42);
    array_release(&b);
    Array nothing = {0};
    Array more = array_share(&nothing);
    assert_null(more.storage);
    assert_false(array_shares(&nothing, &more));
}

static void nothing_and_one_number_are_arrays(void **state)
{
    (void)state;
    Array a = {0};
    assert_int_equal(array_new(BOOL, shape(0, 3), device_cpu(), &a), OK);
    assert_int_equal(array_count(&a), 0);
    assert_int_equal(array_bytes(&a), 0);
    assert_true(array_is_contiguous(&a));
    array_release(&a);
    assert_int_equal(array_new(BOOL, shape_scalar(), device_cpu(), &a), OK);
    assert_int_equal(array_count(&a), 1);
    array_release(&a);
}

static void refused(Shape shape, const char *sentence)
{
    Array a = {0};
    assert_int_equal(array_new(FLOAT32, shape, device_cpu(), &a), ERR_RUNTIME);
    assert_string_equal(status_sentence(), sentence);
    assert_int_equal(status_take(), ERR_RUNTIME);
    assert_null(a.storage);
}

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    refused(shape(-1), "Trying to create tensor with negative dimension -1: "
                       "[-1]");
    refused(shape(0, -2), "Trying to create tensor with negative dimension "
                          "-2: [0, -2]");
    refused(shape(10000000000, 10000000000),
            "Storage size calculation overflowed with "
            "sizes=[10000000000, 10000000000]");
    Array a = {0};
    assert_int_equal(array_new(FLOAT32, shape(10000000000, 10000000000, 0),
                               device_cpu(), &a),
                     OK);
    assert_int_equal(array_count(&a), 0);
    array_release(&a);
}

static void a_window_fits_its_storage(void **state)
{
    (void)state;
    float numbers[10] = {0};
    Storage *storage =
        storage_borrow(device_cpu(), numbers, sizeof numbers, NULL, NULL);
    Array a = {0};
    assert_int_equal(array_over(storage, 4, FLOAT32, shape(2, 3), &a), OK);
    assert_ptr_equal(array_data(&a), numbers + 4);
    Array b = {0};
    assert_int_equal(array_over(storage, 5, FLOAT32, shape(2, 3), &b),
                     ERR_RUNTIME);
    assert_string_equal(status_sentence(),
                        "setStorage: sizes [2, 3], storage offset 5, and "
                        "itemsize 4 requiring a storage size of 44 are out of "
                        "bounds for storage of size 40");
    status_take();
    array_release(&a); // it had taken over our count
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_is_in_c_order),
        cmocka_unit_test(sharing_counts),
        cmocka_unit_test(nothing_and_one_number_are_arrays),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(a_window_fits_its_storage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

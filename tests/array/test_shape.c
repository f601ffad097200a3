/* Shapes: counting, comparing, printing. */
#include "array/shape.h" // defines: Shape, shape, shape_str
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void shapes_count(void **state)
{
    (void)state;
    assert_int_equal(shape_count(shape(2, 3, 4)), 24);
    assert_int_equal(shape_count(shape(5)), 5);
    assert_int_equal(shape_count(shape(5, 0, 3)), 0);
    assert_int_equal(shape_count(shape_scalar()), 1);
    assert_int_equal(shape_scalar().n_dims, 0);
}

static void shapes_compare(void **state)
{
    (void)state;
    assert_true(shape_equal(shape(2, 3), shape(2, 3)));
    assert_false(shape_equal(shape(2, 3), shape(3, 2)));
    assert_false(shape_equal(shape(2), shape(2, 1)));
    assert_true(shape_equal(shape_scalar(), shape_scalar()));
}

static void shapes_print(void **state)
{
    (void)state;
    assert_string_equal(shape_str(shape(2, 3)).text, "torch.Size([2, 3])");
    assert_string_equal(shape_str(shape_scalar()).text, "torch.Size([])");
    assert_string_equal(shape_list(shape(16, 3)).text, "[16, 3]");
    assert_string_equal(shape_list(shape(-1)).text, "[-1]");
}

/* The longest numbers there are still leave room for the end. */
static void long_shapes_are_not_cut_in_the_middle(void **state)
{
    (void)state;
    int64_t m = INT64_MAX;
    Shape big = shape(m, m, m, m, m, m, m, m);
    assert_string_equal(
        shape_str(big).text,
        "torch.Size([9223372036854775807, 9223372036854775807, "
        "9223372036854775807, 9223372036854775807, 9223372036854775807, "
        "9223372036854775807, 9223372036854775807, 9223372036854775807])");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_count),
        cmocka_unit_test(shapes_compare),
        cmocka_unit_test(shapes_print),
        cmocka_unit_test(long_shapes_are_not_cut_in_the_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Views share storage; the strides and sentences are PyTorch 1.13's. */
#include "array/array.h" // defines: array_transpose, array_slice, array_view
#include "base/status.h" // defines: status_take, status_sentence
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* (2, 3, 4) of 0 … 23 */
static Array numbers(void)
{
    Array a = {0};
    assert_int_equal(array_new(INT64, shape(2, 3, 4), device_cpu(), &a), OK);
    for (int i = 0; i < 24; i++)
        ((int64_t *)array_data(&a))[i] = i;
    return a;
}

static int64_t first(const Array *a)
{
    return *(const int64_t *)array_data(a);
}

static void is(const Array *a, Shape shape, const int64_t *strides)
{
    assert_true(shape_equal(a->shape, shape));
    for (int i = 0; i < shape.n_dims; i++)
        assert_int_equal(a->strides[i], strides[i]);
}

static void fails(Status status, Status code, const char *sentence)
{
    assert_int_equal(status, code);
    assert_string_equal(status_sentence(), sentence);
    assert_int_equal(status_take(), code);
}

static void dims_change_places(void **state)
{
    (void)state;
    Array a = numbers();
    Array t = {0};
    assert_int_equal(array_transpose(&a, 0, -1, &t), OK);
    is(&t, shape(4, 3, 2), (int64_t[]){1, 4, 12});
    assert_false(array_is_contiguous(&t));
    assert_true(array_shares(&a, &t));
    array_release(&t);
    fails(array_transpose(&a, 0, 5, &t), ERR_INDEX,
          "Dimension out of range (expected to be in range of [-3, 2], but "
          "got 5)");
    fails(array_transpose(&a, -4, 0, &t), ERR_INDEX,
          "Dimension out of range (expected to be in range of [-3, 2], but "
          "got -4)");
    assert_null(t.storage);
    array_release(&a);
}

static void slices_clamp_as_pythons(void **state)
{
    (void)state;
    static const struct {
        int64_t start, end, size, first;
    } cases[] = {{1, 3, 2, 4}, {-2, 3, 2, 4},    {0, 100, 3, 0},
                 {2, 1, 0, 8}, {-100, -1, 2, 0}, {5, 9, 0, 12}};
    Array a = numbers();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Array s = {0};
        assert_int_equal(array_slice(&a, 1, cases[i].start, cases[i].end, &s),
                         OK);
        is(&s, shape(2, cases[i].size, 4), (int64_t[]){12, 4, 1});
        assert_int_equal(s.offset, cases[i].first);
        array_release(&s);
    }
    array_release(&a);
}

static void selecting_drops_a_dim(void **state)
{
    (void)state;
    Array a = numbers();
    Array s = {0};
    assert_int_equal(array_select(&a, 1, -1, &s), OK);
    is(&s, shape(2, 4), (int64_t[]){12, 1});
    assert_int_equal(first(&s), 8);
    array_release(&s);
    fails(array_select(&a, 0, 5, &s), ERR_INDEX,
          "index 5 is out of bounds for dimension 0 with size 2");
    fails(array_select(&a, 0, -3, &s), ERR_INDEX,
          "index -3 is out of bounds for dimension 0 with size 2");
    Array one = {0};
    assert_int_equal(array_new(INT64, shape_scalar(), device_cpu(), &one), OK);
    fails(array_select(&one, 0, 0, &s), ERR_INDEX,
          "select() cannot be applied to a 0-dim tensor.");
    fails(array_slice(&one, 0, 0, 1, &s), ERR_INDEX,
          "slice() cannot be applied to a 0-dim tensor.");
    array_release(&one);
    array_release(&a);
}

static void dims_of_one_come_and_go(void **state)
{
    (void)state;
    Array a = numbers();
    Array u = {0};
    Array s = {0};
    assert_int_equal(array_unsqueeze(&a, 1, &u), OK);
    is(&u, shape(2, 1, 3, 4), (int64_t[]){12, 12, 4, 1});
    assert_int_equal(array_squeeze(&u, 1, &s), OK);
    is(&s, shape(2, 3, 4), (int64_t[]){12, 4, 1});
    array_release(&u);
    array_release(&s);
    assert_int_equal(array_unsqueeze(&a, -1, &u), OK);
    is(&u, shape(2, 3, 4, 1), (int64_t[]){12, 4, 1, 1});
    assert_true(array_is_contiguous(&u));
    array_release(&u);
    assert_int_equal(array_squeeze(&a, 0, &s), OK); // size 2: as it is
    is(&s, shape(2, 3, 4), (int64_t[]){12, 4, 1});
    array_release(&s);
    fails(array_unsqueeze(&a, 4, &u), ERR_INDEX,
          "Dimension out of range (expected to be in range of [-4, 3], but "
          "got 4)");
    Array deep = array_share(&a);
    for (int i = 3; i < MAX_DIMS; i++) {
        Array next = {0};
        assert_int_equal(array_unsqueeze(&deep, 0, &next), OK);
        array_release(&deep);
        deep = next;
    }
    fails(array_unsqueeze(&deep, 0, &u), ERR_RUNTIME,
          "an array has at most 8 dimensions here");
    array_release(&deep);
    array_release(&a);
}

static void sizes_of_one_expand(void **state)
{
    (void)state;
    Array a = {0};
    Array e = {0};
    array_new(INT64, shape(3, 1), device_cpu(), &a);
    assert_int_equal(array_expand(&a, shape(2, -1, 4), &e), OK);
    is(&e, shape(2, 3, 4), (int64_t[]){0, 1, 0});
    assert_false(array_is_contiguous(&e));
    array_release(&e);
    fails(array_expand(&a, shape(4, 4), &e), ERR_RUNTIME,
          "The expanded size of the tensor (4) must match the existing size "
          "(3) at non-singleton dimension 0.  Target sizes: [4, 4].  Tensor "
          "sizes: [3, 1]");
    fails(array_expand(&a, shape(3), &e), ERR_RUNTIME,
          "expand(torch.LongTensor{[3, 1]}, size=[3]): the number of sizes "
          "provided (1) must be greater or equal to the number of dimensions "
          "in the tensor (2)");
    fails(array_expand(&a, shape(-1, 3, 1), &e), ERR_RUNTIME,
          "The expanded size of the tensor (-1) isn't allowed in a leading, "
          "non-existing dimension 0");
    array_release(&a);
}

static void views_refuse_as_pytorch(void **state)
{
    (void)state;
    bool possible = false;
    Array a = numbers();
    Array v = {0};
    fails(array_view(&a, shape(5, -1), &possible, &v), ERR_RUNTIME,
          "shape '[5, -1]' is invalid for input of size 24");
    fails(array_view(&a, shape(4), &possible, &v), ERR_RUNTIME,
          "shape '[4]' is invalid for input of size 24");
    fails(array_view(&a, shape(-1, -1), &possible, &v), ERR_RUNTIME,
          "only one dimension can be inferred");
    fails(array_view(&a, shape(-2, 12), &possible, &v), ERR_RUNTIME,
          "invalid shape dimension -2");
    array_release(&a);
    array_new(INT64, shape(0, 3), device_cpu(), &a);
    fails(array_view(&a, shape(-1, 0), &possible, &v), ERR_RUNTIME,
          "cannot reshape tensor of 0 elements into shape [-1, 0] because the "
          "unspecified dimension size -1 can be any value and is ambiguous");
    array_release(&a);
}

/* 2^64 numbers are not none. */
static void a_shape_is_not_counted_past_its_end(void **state)
{
    (void)state;
    Array none = {0}, v = {0};
    bool possible = false;
    int64_t half = (int64_t)1 << 32;
    assert_int_equal(array_new(INT64, shape(0), device_cpu(), &none), OK);
    fails(array_view(&none, shape(half, half), &possible, &v), ERR_RUNTIME,
          "numel: integer multiplication overflow");
    array_release(&none);
}

static void a_view_needs_fitting_strides(void **state)
{
    (void)state;
    bool possible = false;
    Array a = numbers();
    Array v = {0};
    assert_int_equal(array_view(&a, shape(6, -1), &possible, &v), OK);
    assert_true(possible);
    is(&v, shape(6, 4), (int64_t[]){4, 1});
    array_release(&v);
    Array part = {0};
    array_slice(&a, 2, 0, 2, &part); // rows of 2 out of 4
    assert_int_equal(array_view(&part, shape(6, 2), &possible, &v), OK);
    assert_true(possible);
    is(&v, shape(6, 2), (int64_t[]){4, 1});
    array_release(&v);
    assert_int_equal(array_view(&part, shape(12), &possible, &v), OK);
    assert_false(possible);
    assert_null(v.storage);
    array_release(&part);
    array_transpose(&a, 0, 1, &part); // (3, 2, 4)
    assert_int_equal(array_view(&part, shape(3, 1, 2, 2, 2), &possible, &v),
                     OK);
    assert_true(possible);
    assert_int_equal(v.strides[0], 4);
    assert_int_equal(v.strides[2], 12);
    assert_int_equal(v.strides[3], 2);
    assert_int_equal(v.strides[4], 1);
    array_release(&v);
    assert_int_equal(array_view(&part, shape(6, 4), &possible, &v), OK);
    assert_false(possible);
    array_release(&part);
    array_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dims_change_places),
        cmocka_unit_test(slices_clamp_as_pythons),
        cmocka_unit_test(selecting_drops_a_dim),
        cmocka_unit_test(dims_of_one_come_and_go),
        cmocka_unit_test(sizes_of_one_expand),
        cmocka_unit_test(views_refuse_as_pytorch),
        cmocka_unit_test(a_shape_is_not_counted_past_its_end),
        cmocka_unit_test(a_view_needs_fitting_strides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The table of allocations says what a plain list of them says, whatever came
 * and went before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "table.h" // defines: table_insert, table_below

enum { PLACES = 5000, STEP = 512 };

static Allocation *there[PLACES]; // by address / STEP; NULL: nothing

static uint64_t random_state = 1;

static size_t below(size_t n) // splitmix64
{
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (size_t)((z ^ z >> 31) % n);
}

static void toggle(size_t place)
{
    if (there[place] != NULL) {
        table_remove(there[place]);
        free(there[place]);
        there[place] = NULL;
        return;
    }
    there[place] = calloc(1, sizeof *there[place]);
    assert_non_null(there[place]);
    there[place]->base = (place + 1) * STEP;
    assert_true(table_insert(there[place]));
}

/* Before, at and behind one place: the same answers as the list's. */
static void compare_at(size_t place)
{
    const Allocation *last = NULL;
    const Allocation *first = NULL;
    for (size_t i = place; last == NULL && i > 0; i--)
        last = there[i - 1];
    for (size_t i = place; first == NULL && i < PLACES; i++)
        first = there[i];
    uintptr_t p = (place + 1) * STEP;
    assert_ptr_equal(table_below(p - 1), last);
    assert_ptr_equal(table_above(p - 1), first);
    assert_ptr_equal(table_below(p), there[place] ? there[place] : last);
    if (there[place] == NULL)
        assert_ptr_equal(table_above(p), first);
}

static void compare_all(void)
{
    for (size_t i = 0; i < PLACES; i++)
        compare_at(i);
}

static void empty(void)
{
    for (size_t i = 0; i < PLACES; i++)
        if (there[i] != NULL)
            toggle(i);
    assert_null(table_below(UINTPTR_MAX));
    assert_null(table_above(0));
}

static void in_any_order(void **state)
{
    (void)state;
    for (int i = 0; i < 40000; i++) {
        toggle(below(PLACES));
        compare_at(below(PLACES));
        if (i % 400 == 0)
            compare_all();
    }
    empty();
}

static void up_and_down(void **state)
{
    (void)state;
    for (size_t i = 0; i < PLACES; i++) {
        toggle(i);
        compare_at(i);
    }
    compare_all();
    for (size_t i = PLACES; i > 0; i--) {
        toggle(i - 1);
        compare_at(i - 1);
    }
    for (size_t i = PLACES; i > 0; i--) {
        toggle(i - 1);
        compare_at(i - 1);
    }
    compare_all();
    empty();
}

/* As many devices allocate, each in a range of its own. */
static void in_many_ranges(void **state)
{
    (void)state;
    enum { RANGES = 50, EACH = PLACES / RANGES };
    for (size_t i = 0; i < EACH; i++) {
        for (size_t r = 0; r < RANGES; r++) {
            toggle(r * EACH + i);
            compare_at(below(PLACES));
        }
    }
    compare_all();
    empty();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_any_order),
        cmocka_unit_test(up_and_down),
        cmocka_unit_test(in_many_ranges),
    };
    return cmocka_run_group_tests_name("sim table", tests, NULL, NULL);
}

/* Host memory comes zeroed, and a test can make any allocation fail. */
#include "base/alloc.h"  // defines: mem_new, mem_fail_after
#include "base/status.h" // defines: status_take, status_sentence
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void memory_is_zeroed(void **state)
{
    (void)state;
    unsigned char *block = mem_new(1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(block[i], 0);
    mem_free(block);
    void *nothing = mem_new(0);
    assert_non_null(nothing);
    mem_free(nothing);
    mem_free(NULL);
}

static void the_nth_allocation_fails(void **state)
{
    (void)state;
    mem_fail_after(2);
    void *first = mem_new(8);
    assert_non_null(first);
    assert_null(mem_new(24));
    assert_string_equal(status_sentence(),
                        "not enough host memory: tried to allocate 24 bytes");
    assert_int_equal(status_take(), ERR_MEMORY);
    void *third = mem_new(8);
    assert_non_null(third);
    mem_fail_after(1);
    mem_fail_after(0);
    void *fourth = mem_new(8);
    assert_non_null(fourth);
    mem_free(first);
    mem_free(third);
    mem_free(fourth);
}

static void a_failed_resize_keeps_the_block(void **state)
{
    (void)state;
    int *block = mem_new(sizeof(int));
    *block = 7;
    mem_fail_after(1);
    assert_null(mem_resize(block, 4096));
    assert_int_equal(status_take(), ERR_MEMORY);
    assert_int_equal(*block, 7);
    block = mem_resize(block, 4096);
    assert_int_equal(*block, 7);
    mem_free(block);
}

static void text_is_copied(void **state)
{
    (void)state;
    char original[] = "cuda:7";
    char *copy = mem_copy_text(original);
    original[0] = 'x';
    assert_string_equal(copy, "cuda:7");
    mem_free(copy);
    mem_fail_after(1);
    assert_null(mem_copy_text(original));
    assert_int_equal(status_take(), ERR_MEMORY);
}

static void too_much_is_refused(void **state)
{
    (void)state;
    volatile size_t huge = SIZE_MAX / 2;
    assert_null(mem_new(huge));
    assert_int_equal(status_take(), ERR_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed),
        cmocka_unit_test(the_nth_allocation_fails),
        cmocka_unit_test(a_failed_resize_keeps_the_block),
        cmocka_unit_test(text_is_copied),
        cmocka_unit_test(too_much_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

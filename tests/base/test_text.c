/* Text that grows. */
#include "base/alloc.h"  // defines: mem_fail_after, mem_free
#include "base/status.h" // defines: status_take
#include "base/text.h"   // defines: Text, text_add, text_take
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void pieces_join(void **state)
{
    (void)state;
    Text text = {0};
    text_add(&text, "tensor(");
    text_addf(&text, "[%d, %s]", 1, "2");
    text_add_n(&text, ")xyz", 1);
    assert_string_equal(text.data, "tensor([1, 2])");
    assert_int_equal(text.length, 14);
    char *string = text_take(&text);
    assert_string_equal(string, "tensor([1, 2])");
    assert_null(text.data);
    mem_free(string);
}

static void it_grows(void **state)
{
    (void)state;
    Text text = {0};
    for (int i = 0; i < 1000; i++)
        text_addf(&text, "%03d,", i);
    assert_int_equal(text.length, 4000);
    assert_int_equal(strlen(text.data), 4000);
    assert_memory_equal(text.data + 3996, "999,", 5);
    text_clear(&text);
    assert_int_equal(text.length, 0);
    assert_null(text.data);
}

static void nothing_added_is_an_empty_string(void **state)
{
    (void)state;
    Text text = {0};
    char *string = text_take(&text);
    assert_string_equal(string, "");
    mem_free(string);
}

static void no_memory_is_told_once(void **state)
{
    (void)state;
    Text text = {0};
    text_add(&text, "kept");
    mem_fail_after(1);
    for (int i = 0; i < 100; i++)
        text_add(&text, "0123456789");
    assert_true(text.failed);
    assert_int_equal(status_take(), ERR_MEMORY);
    assert_null(text_take(&text));
    assert_int_equal(status_take(), OK);
    assert_int_equal(text.failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_join),
        cmocka_unit_test(it_grows),
        cmocka_unit_test(nothing_added_is_an_empty_string),
        cmocka_unit_test(no_memory_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

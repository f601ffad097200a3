/* What the tests of this room share: prints and failures, compared as text;
 * a scope around each test, and the count of tensors after it. */
#ifndef TESTS_TENSOR_CHECK_H
#define TESTS_TENSOR_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
// cmocka needs those before it
#include <cmocka.h>

#include "base/alloc.h"        // defines: mem_free
#include "tensor/create.h"     // defines: tensor_zeros, manual_seed
#include "tensor/format.h"     // defines: tensor_repr
#include "tensor/functional.h" // defines: tensor_add, …
#include "tensor/scope.h"      // defines: scope_open, tensor_live_count
#include "tensor/tape.h"       // defines: tensor_backward, …
#include "tensor/tensor.h"     // defines: Tensor

/* x prints as `text`. */
#define assert_prints(x, text)                                                 \
    do {                                                                       \
        char *printed_ = tensor_repr(x);                                       \
        if (printed_ == NULL)                                                  \
            fail_msg("%s", status_sentence());                                 \
        assert_string_equal(printed_, text);                                   \
        mem_free(printed_);                                                    \
    } while (0)

/* Nothing has failed. */
#define assert_fine()                                                          \
    do {                                                                       \
        if (status_peek() != OK)                                               \
            fail_msg("%s", status_sentence());                                 \
    } while (0)

/* The pending failure is this one; it is read. */
#define assert_failure(code, sentence)                                         \
    do {                                                                       \
        assert_int_equal(status_take(), code);                                 \
        assert_string_equal(status_sentence(), sentence);                      \
    } while (0)

/* The expression is NULL and has failed like this. */
#define assert_refused(expression, code, sentence)                             \
    do {                                                                       \
        assert_null(expression);                                               \
        assert_failure(code, sentence);                                        \
    } while (0)

static inline int open_scope(void **state)
{
    *state = NULL;
    return scope_open() != OK;
}

/* Every tensor is gone, and nothing failed unread. */
static inline int close_scope(void **state)
{
    (void)state;
    scope_close();
    default_device_set(device_cpu());
    if (status_take() != OK)
        print_error("unread: %s\n", status_sentence());
    if (tensor_live_count() != 0)
        print_error("%ld tensors are still there\n", (long)tensor_live_count());
    return tensor_live_count() != 0;
}

#define scoped_test(f)                                                         \
    cmocka_unit_test_setup_teardown(f, open_scope, close_scope)

#define GPU device_cuda
#define CPU device_cpu()
#define floats(...) ((float[]){__VA_ARGS__})
#define ints(...) ((int64_t[]){__VA_ARGS__})

#endif

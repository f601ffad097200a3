/* Numbers of a tensor against numbers in the test. */
#ifndef TESTS_NN_VALUES_H
#define TESTS_NN_VALUES_H

#include "base/alloc.h"        // defines: mem_free
#include "base/status.h"       // defines: status_take
#include "nn/layers.h"         // defines: sequential_new
#include "tensor/create.h"     // defines: manual_seed
#include "tensor/format.h"     // defines: tensor_repr
#include "tensor/functional.h" // defines: tensor_sum
#include "tensor/scope.h"      // defines: scope_open
#include "tensor/tape.h"       // defines: tensor_grad
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Every number of x is within `tolerance` of expected; the count is right. */
static inline void assert_values(const Tensor *x, const double *expected,
                                 int64_t n, double tolerance)
{
    assert_non_null(x);
    assert_int_equal(tensor_numel(x), n);
    double got[256];
    assert_true(n <= 256);
    assert_int_equal(tensor_read(x, got, n), OK);
    for (int64_t i = 0; i < n; i++) {
        if (!(fabs(got[i] - expected[i]) <= tolerance))
            fail_msg("number %lld is %.9g, expected %.9g", (long long)i, got[i],
                     expected[i]);
    }
}

#define ASSERT_VALUES(x, tolerance, ...)                                       \
    assert_values((x), (const double[]){__VA_ARGS__},                          \
                  (int64_t)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), \
                  (tolerance))

/* The pending failure has this code and exactly this sentence; it is read. */
static inline void assert_failure(Status code, const char *sentence)
{
    assert_int_equal(status_take(), code);
    assert_string_equal(status_sentence(), sentence);
}

/* Nothing failed on the way here. */
static inline void assert_fine(void)
{
    if (status_peek() != OK)
        fail_msg("unexpected failure: %s", status_sentence());
}

/* Each test in a scope of its own, with nothing pending. */
static inline int open_scope(void **state)
{
    (void)state;
    status_take();
    return scope_open() == OK ? 0 : -1;
}

static inline int close_scope(void **state)
{
    (void)state;
    scope_close();
    return 0;
}

/* Modules one after another, where the order of their draws does not matter. */
#define SEQUENTIAL(...)                                                        \
    sequential_from(                                                           \
        (Module *[]){__VA_ARGS__},                                             \
        (int)(sizeof((Module *[]){__VA_ARGS__}) / sizeof(Module *)))

static inline Module *sequential_from(Module *const *modules, int n)
{
    Module *net = sequential_new();
    for (int i = 0; i < n; i++)
        sequential_add(net, modules[i]);
    return net;
}

#define IN_SCOPE(test)                                                         \
    cmocka_unit_test_setup_teardown(test, open_scope, close_scope)

#endif

/* What the tests of ops share: arrays from doubles, and checking one. */
#ifndef TESTS_OPS_ARRAYS_H
#define TESTS_OPS_ARRAYS_H

#include "array/array.h"  // defines: Array
#include "array/scalar.h" // defines: scalar_int, scalar_real
#include "base/status.h"  // defines: status_take, status_sentence
#include "ops/copy.h"     // defines: op_cast, op_to, op_read_doubles
#include "ops/create.h"   // defines: op_from_host
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Where every test runs: here, and on a GPU that is not the current one. */
static const Device places[] = {{DEVICE_CPU, -1}, {DEVICE_CUDA, 3}};
enum { N_PLACES = 2, MAX_NUMBERS = 64 };

#define NUMBERS(...) ((const double[]){__VA_ARGS__})

/* An array of these numbers, made on the CPU, converted there, and moved. */
static inline Array array_of(DType dtype, Shape shape, Device device,
                             const double *numbers)
{
    Array real = {0};
    Array here = {0};
    Array there = {0};
    assert_int_equal(op_from_host(FLOAT64, shape, numbers, device_cpu(), &real),
                     OK);
    assert_int_equal(op_cast(&real, dtype, &here), OK);
    assert_int_equal(op_to(&here, device, &there), OK);
    array_release(&real);
    array_release(&here);
    return there;
}

/* Is *a of this dtype, shape and place, with exactly these numbers (a NaN is
 * itself)? Releases it. */
static inline void check_array(Array *a, DType dtype, Shape shape,
                               Device device, const double *numbers)
{
    double found[MAX_NUMBERS];
    assert_int_equal(a->dtype, dtype);
    assert_string_equal(shape_list(a->shape).text, shape_list(shape).text);
    assert_string_equal(device_str(array_device(a)).text,
                        device_str(device).text);
    assert_true(array_count(a) <= MAX_NUMBERS);
    assert_int_equal(op_read_doubles(a, found), OK);
    for (int64_t i = 0; i < array_count(a); i++) {
        bool same =
            found[i] == numbers[i] || (isnan(found[i]) && isnan(numbers[i]));
        if (!same)
            print_error("number %d is %.17g, not %.17g\n", (int)i, found[i],
                        numbers[i]);
        assert_true(same);
    }
    array_release(a);
}

/* Did it fail with this code and sentence? Reads and clears. */
static inline void check_failure(Status status, Status code,
                                 const char *sentence)
{
    assert_int_equal(status, code);
    assert_string_equal(status_sentence(), sentence);
    assert_int_equal(status_take(), code);
}

#endif

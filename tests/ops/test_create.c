/* Arrays out of nothing, here and on a GPU. Values are PyTorch 1.13's. */
#include "arrays.h"          // defines: places, check_array, check_failure
#include "ops/create.h"      // defines: op_full, op_arange
#include "ops/elementwise.h" // defines: op_fill_into

static void full_is_converted(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array a = {0};
        assert_int_equal(op_zeros(INT32, shape(2, 2), places[p], &a), OK);
        check_array(&a, INT32, shape(2, 2), places[p], NUMBERS(0, 0, 0, 0));
        op_full(FLOAT16, shape(2), scalar_real(70000), places[p], &a);
        check_array(&a, FLOAT16, shape(2), places[p],
                    NUMBERS(INFINITY, INFINITY)); // seeds 3.6
        op_full(BFLOAT16, shape_scalar(), scalar_real(1.0 / 3), places[p], &a);
        check_array(&a, BFLOAT16, shape_scalar(), places[p],
                    NUMBERS(0.333984375));
        op_full(BOOL, shape(1), scalar_int(7), places[p], &a);
        check_array(&a, BOOL, shape(1), places[p], NUMBERS(1));
        op_full(UINT8, shape(1), scalar_int(300), places[p], &a);
        check_array(&a, UINT8, shape(1), places[p], NUMBERS(44));
        op_full(INT64, shape(1), scalar_int(-5), places[p], &a);
        check_array(&a, INT64, shape(1), places[p], NUMBERS(-5));
        op_full(FLOAT64, shape(1), scalar_real(0.1), places[p], &a);
        check_array(&a, FLOAT64, shape(1), places[p], NUMBERS(0.1));
        op_full(FLOAT32, shape(0, 2), scalar_int(1), places[p], &a);
        check_array(&a, FLOAT32, shape(0, 2), places[p], NUMBERS(0));
    }
}

static void a_view_is_filled_alone(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array a = {0};
        Array column = {0};
        Array wide = {0};
        op_zeros(FLOAT32, shape(2, 3), places[p], &a);
        array_slice(&a, 1, 1, 2, &column);
        assert_int_equal(op_fill_into(&column, scalar_int(5)), OK);
        array_expand(&column, shape(2, 4), &wide);
        check_failure(op_fill_into(&wide, scalar_int(1)), ERR_RUNTIME,
                      "unsupported operation: more than one element of the "
                      "written-to tensor refers to a single memory location. "
                      "Please clone() the tensor before performing the "
                      "operation.");
        array_release(&wide);
        array_release(&column);
        check_array(&a, FLOAT32, shape(2, 3), places[p],
                    NUMBERS(0, 5, 0, 0, 5, 0));
    }
}

static void ranges_count(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array a = {0};
        assert_int_equal(op_arange(INT64, scalar_int(1), scalar_int(8),
                                   scalar_int(3), places[p], &a),
                         OK);
        check_array(&a, INT64, shape(3), places[p], NUMBERS(1, 4, 7));
        op_arange(FLOAT32, scalar_real(0), scalar_real(1), scalar_real(0.25),
                  places[p], &a);
        check_array(&a, FLOAT32, shape(4), places[p],
                    NUMBERS(0, 0.25, 0.5, 0.75));
        // PyTorch 1.13: torch.arange(0, 1.65, 0.1)[9] is 0x3f666667, not …66.
        uint32_t bits[17];
        op_arange(FLOAT32, scalar_real(0), scalar_real(1.65), scalar_real(0.1),
                  places[p], &a);
        assert_int_equal(op_read(&a, bits), OK);
        assert_int_equal(bits[9], 0x3f666667);
        array_release(&a);
        op_arange(UINT8, scalar_int(5), scalar_int(2), scalar_int(-1),
                  places[p], &a);
        check_array(&a, UINT8, shape(3), places[p], NUMBERS(5, 4, 3));
        op_arange(FLOAT16, scalar_int(3), scalar_int(3), scalar_int(1),
                  places[p], &a);
        check_array(&a, FLOAT16, shape(0), places[p], NUMBERS(0));
        op_arange(INT64, scalar_int(INT64_MAX - 2), scalar_int(INT64_MAX),
                  scalar_int(1), places[p], &a);
        assert_int_equal(array_count(&a), 2);
        array_release(&a);
        // INT64 cuts before it counts, INT32 after.
        op_arange(INT64, scalar_real(0.5), scalar_real(3.7), scalar_int(1),
                  places[p], &a);
        check_array(&a, INT64, shape(3), places[p], NUMBERS(0, 1, 2));
        op_arange(INT32, scalar_real(0.5), scalar_real(3.7), scalar_int(1),
                  places[p], &a);
        check_array(&a, INT32, shape(4), places[p], NUMBERS(0, 1, 2, 3));
    }
}

static void bad_ranges_are_refused(void **state)
{
    (void)state;
    Array a = {0};
    Scalar one = scalar_int(1);
    check_failure(
        op_arange(INT64, one, scalar_int(5), scalar_int(0), device_cpu(), &a),
        ERR_RUNTIME, "step must be nonzero");
    check_failure(op_arange(INT32, one, scalar_int(5), scalar_real(0.5),
                            device_cpu(), &a),
                  ERR_RUNTIME, "step must be nonzero");
    check_failure(
        op_arange(INT64, one, scalar_real(INFINITY), one, device_cpu(), &a),
        ERR_RUNTIME, "unsupported range: 1 -> inf");
    check_failure(op_arange(INT64, scalar_int(5), one, one, device_cpu(), &a),
                  ERR_RUNTIME,
                  "upper bound and larger bound inconsistent with step sign");
    check_failure(
        op_arange(FLOAT32, one, scalar_real(INFINITY), one, device_cpu(), &a),
        ERR_RUNTIME, "unsupported range: 1 -> inf");
    check_failure(op_arange(FLOAT32, one, scalar_real(1e30), scalar_real(1),
                            device_cpu(), &a),
                  ERR_RUNTIME,
                  "invalid size, possible overflow? (1e+30 numbers)");
    check_failure(op_arange(BOOL, one, one, one, device_cpu(), &a), ERR_RUNTIME,
                  "\"arange_cpu\" not implemented for 'Bool'");
    assert_null(a.storage);
}

/* seeds 2.8: no such GPU */
static void the_gpu_must_exist(void **state)
{
    (void)state;
    Array a = {0};
    check_failure(
        op_zeros(FLOAT32, shape(1), device_cuda(8), &a), ERR_CUDA,
        "CUDA error: invalid device ordinal\n"
        "CUDA kernel errors might be asynchronously reported at some other API "
        "call, so the stacktrace below might be incorrect.\n"
        "For debugging consider passing CUDA_LAUNCH_BLOCKING=1.\n"
        "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.");
    assert_null(a.storage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_is_converted),
        cmocka_unit_test(a_view_is_filled_alone),
        cmocka_unit_test(ranges_count),
        cmocka_unit_test(bad_ranges_are_refused),
        cmocka_unit_test(the_gpu_must_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Every kernel gives the same bits on the CPU and on a simulated GPU: all ops,
 * all dtypes, plain rows and strided views; and whichever GPU is current. */
#include "arrays.h"          // defines: array_of
#include "ops/elementwise.h" // defines: op_unary, op_binary
#include "ops/matmul.h"      // defines: op_matmul
#include "ops/reduce.h"      // defines: op_sum_dim, op_max_dim
#include "ops/softmax.h"     // defines: op_softmax
#include <string.h>

enum { ROWS = 7, COLUMNS = 90, N = ROWS * COLUMNS };

/* Numbers with signs, fractions and zeros, the same on each call. */
static const double *numbers(int seed)
{
    static double out[2][N];
    double *to = out[seed % 2];
    uint32_t word = 12345u + (uint32_t)seed;
    for (int i = 0; i < N; i++) {
        word = word * 1664525u + 1013904223u;
        to[i] = (double)(word >> 16) / 4096.0 - 8.0;
        if (i % 11 == 0)
            to[i] = 0;
    }
    return to;
}

/* A pair of inputs at one place: in C order, or views turned the other way. */
typedef struct Inputs {
    Array a, b;
} Inputs;

static Array view(DType dtype, Device device, int seed, bool turned)
{
    Shape made = turned ? shape(COLUMNS, ROWS) : shape(ROWS, COLUMNS);
    Array plain = array_of(dtype, made, device, numbers(seed));
    if (!turned)
        return plain;
    Array out = {0};
    array_transpose(&plain, 0, 1, &out);
    array_release(&plain);
    return out;
}

static Inputs inputs(DType dtype, Device device, bool turned)
{
    return (Inputs){view(dtype, device, 0, turned),
                    view(dtype, device, 1, false)};
}

static void drop(Inputs *in)
{
    array_release(&in->a);
    array_release(&in->b);
}

typedef Status Run(int which, const Inputs *in, Array *out);
static Run run_other;

/* The outcome at both places: the same failure, or the same bytes. */
static void compare(Run *run, int which)
{
    static unsigned char here[8 * N];
    static unsigned char there[8 * N];
    for (int d = 0; d < N_DTYPES; d++)
        for (int turned = 0; turned < 2; turned++) {
            Inputs on_cpu = inputs((DType)d, device_cpu(), turned);
            Inputs on_gpu = inputs((DType)d, device_cuda(6), turned);
            Array a = {0};
            Array b = {0};
            Status left = run(which, &on_cpu, &a);
            status_take();
            Status right = run(which, &on_gpu, &b);
            status_take();
            // Products of integers are for the CPU alone.
            bool lone =
                run == run_other && which == 8 && !dtype_is_floating((DType)d);
            if (!lone)
                assert_int_equal(left, right);
            if (lone)
                array_release(&a);
            else if (left == OK) {
                assert_true(device_equal(array_device(&b), device_cuda(6)));
                assert_true(array_bytes(&a) <= sizeof here);
                assert_int_equal(op_read(&a, here), OK);
                assert_int_equal(op_read(&b, there), OK);
                assert_int_equal(memcmp(here, there, array_bytes(&a)), 0);
                array_release(&a);
                array_release(&b);
            }
            drop(&on_cpu);
            drop(&on_gpu);
        }
}

static Status run_unary(int which, const Inputs *in, Array *out)
{
    return op_unary((Unary)which, &in->a, out);
}

static Status run_binary(int which, const Inputs *in, Array *out)
{
    return op_binary((Binary)which, &in->a, &in->b, out);
}

static Status run_scalar(int which, const Inputs *in, Array *out)
{
    return op_binary_scalar((Binary)which, &in->a, scalar_int(3), out);
}

static Status run_cast(int which, const Inputs *in, Array *out)
{
    return op_cast(&in->a, (DType)which, out);
}

enum { N_OTHER = 10 };

static Status run_other(int which, const Inputs *in, Array *out)
{
    Array column = {0};
    Array turned = {0};
    Status status;
    switch (which) {
    case 0:
        return op_sum(&in->a, out);
    case 1:
        return op_sum_dim(&in->a, 0, false, out);
    case 2:
        return op_sum_dim(&in->a, 1, true, out);
    case 3:
        return op_mean(&in->a, out);
    case 4:
        return op_max_dim(&in->a, 1, false, out, NULL);
    case 5:
        return op_argmax_dim(&in->a, 0, false, out);
    case 6:
        return op_softmax(&in->a, 1, out);
    case 7:
        return op_log_softmax(&in->a, 0, out);
    case 8: // of (7, 90) and (90, 7)
        TRY(array_transpose(&in->b, 0, 1, &turned));
        status = op_matmul(&in->a, &turned, out);
        array_release(&turned);
        return status;
    default: // a broadcast
        TRY(array_slice(&in->b, 1, 4, 5, &column));
        status = op_binary(BINARY_MUL, &in->a, &column, out);
        array_release(&column);
        return status;
    }
}

static void elementwise_ops_agree(void **state)
{
    (void)state;
    for (int op = 0; op < N_UNARY; op++)
        compare(run_unary, op);
    for (int op = 0; op < N_BINARY; op++) {
        compare(run_binary, op);
        compare(run_scalar, op);
    }
}

static void casts_agree(void **state)
{
    (void)state;
    for (int to = 0; to < N_DTYPES; to++)
        compare(run_cast, to);
}

static void the_rest_agrees(void **state)
{
    (void)state;
    for (int which = 0; which < N_OTHER; which++)
        compare(run_other, which);
}

/* An op runs where its inputs are, and leaves the current GPU as it was. */
static void the_current_gpu_stays(void **state)
{
    (void)state;
    assert_int_equal(cuda_set_device(4), OK);
    Inputs in = inputs(FLOAT32, device_cuda(6), true);
    Array out = {0};
    for (int which = 0; which < N_OTHER; which++) {
        assert_int_equal(run_other(which, &in, &out), OK);
        assert_int_equal(array_device(&out).index, 6);
        assert_int_equal(cuda_current_device(), 4);
        array_release(&out);
    }
    drop(&in);
    assert_int_equal(cuda_set_device(0), OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elementwise_ops_agree),
        cmocka_unit_test(casts_agree),
        cmocka_unit_test(the_rest_agrees),
        cmocka_unit_test(the_current_gpu_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

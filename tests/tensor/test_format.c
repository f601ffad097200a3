/* Prints, character by character. The samples were read off PyTorch 1.13 and
 * NumPy 1.24; tests/oracle fuzzes thousands more. */
#include "check.h"
#include <math.h>
#include <string.h>

static void one_form_for_all_numbers(void **state)
{
    (void)state;
    const struct {
        float numbers[2];
        const char *text;
    } samples[] = {
        {{1, 2.5f}, "tensor([1.0000, 2.5000])"},
        {{1, 1000}, "tensor([   1., 1000.])"},
        {{1, 1001}, "tensor([1.0000e+00, 1.0010e+03])"},
        {{1.5f, 1499}, "tensor([   1.5000, 1499.0000])"},
        {{-INFINITY, 1.5f}, "tensor([  -inf, 1.5000])"},
        {{INFINITY, NAN}, "tensor([inf, nan])"},
        {{0, -0.0f}, "tensor([0., -0.])"},
        {{1e8f, 1e8f}, "tensor([100000000., 100000000.])"},
        {{9e-5f, 9e-5f}, "tensor([9.0000e-05, 9.0000e-05])"},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        assert_prints(tensor_new(FLOAT32, shape(2), samples[i].numbers, CPU),
                      samples[i].text);
}

static void single_numbers(void **state)
{
    (void)state;
    assert_prints(tensor_full(FLOAT32, shape_scalar(), 1, CPU), "tensor(1.)");
    assert_prints(tensor_full(FLOAT32, shape_scalar(), 2.5, CPU),
                  "tensor(2.5000)");
    assert_prints(tensor_full(INT64, shape_scalar(), 5, CPU), "tensor(5)");
}

static void nothing_at_all(void **state)
{
    (void)state;
    assert_prints(tensor_zeros(FLOAT32, shape(0), CPU), "tensor([])");
    assert_prints(tensor_zeros(FLOAT32, shape(2, 0), CPU),
                  "tensor([], size=(2, 0))");
    assert_prints(tensor_zeros(INT64, shape(0), CPU),
                  "tensor([], dtype=torch.int64)");
}

static void bools_and_halves(void **state)
{
    (void)state;
    bool yes_no[] = {true, false};
    assert_prints(tensor_new(BOOL, shape(2), yes_no, CPU),
                  "tensor([ True, False])");
    assert_prints(tensor_full(BFLOAT16, shape(1), 0.1, CPU),
                  "tensor([0.1001], dtype=torch.bfloat16)");
    assert_prints(tensor_full(FLOAT64, shape(2), 1, CPU),
                  "tensor([1., 1.], dtype=torch.float64)");
}

static void long_tensors_are_summarised(void **state)
{
    (void)state;
    assert_prints(tensor_arange(INT64, 0, 1001, 1, CPU),
                  "tensor([   0,    1,    2,  ...,  998,  999, 1000])");
    assert_prints(tensor_zeros(FLOAT32, shape(1001), GPU(2)),
                  "tensor([0., 0., 0.,  ..., 0., 0., 0.], device='cuda:2')");
}

static void lines_wrap_at_80(void **state)
{
    (void)state;
    assert_prints(
        tensor_arange(INT64, 0, 25, 1, CPU),
        "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, "
        "15, 16, 17,\n        18, 19, 20, 21, 22, 23, 24])");
    assert_prints(tensor_arange(FLOAT64, 0, 18, 1, CPU),
                  "tensor([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., "
                  "10., 11., 12., 13.,\n        14., 15., 16., 17.], "
                  "dtype=torch.float64)");
    assert_prints(tensor_zeros(FLOAT64, shape(14), CPU),
                  "tensor([0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., "
                  "0.],\n       dtype=torch.float64)");
}

static void blocks_are_parted_by_an_empty_line(void **state)
{
    (void)state;
    assert_prints(
        tensor_reshape(tensor_arange(INT64, 0, 8, 1, CPU), shape(2, 2, 2)),
        "tensor([[[0, 1],\n         [2, 3]],\n\n        [[4, 5],\n  "
        "       [6, 7]]])");
}

static void gradients_are_told(void **state)
{
    (void)state;
    Tensor *x = tensor_ones(FLOAT32, shape(2), CPU);
    tensor_set_requires_grad(x, true);
    assert_prints(x, "tensor([1., 1.], requires_grad=True)");
    assert_prints(tensor_mul_real(x, 2),
                  "tensor([2., 2.], grad_fn=<MulBackward0>)");
    Tensor *w = tensor_to(tensor_ones(FLOAT32, shape(1, 2), CPU), GPU(7));
    Tensor *rows = tensor_to(tensor_ones(FLOAT32, shape(2, 2), CPU), GPU(7));
    tensor_set_requires_grad(w, true);
    Tensor *bias = tensor_full(FLOAT32, shape(1), 0.5, GPU(7));
    assert_prints(tensor_linear(rows, w, bias), // seeds 0.14, the form
                  "tensor([[2.5000],\n        [2.5000]], device='cuda:7', "
                  "grad_fn=<AddmmBackward>)");
}

static void where_tensors_are_born_is_not_told(void **state)
{
    (void)state;
    Tensor *x = tensor_ones(INT64, shape(1), CPU);
    Tensor *x0 = tensor_ones(INT64, shape(1), GPU(0));
    Tensor *x1 = tensor_ones(INT64, shape(1), GPU(1));
    default_device_set(GPU(-1)); // seeds 3.9
    assert_prints(x, "tensor([1], device='cpu')");
    assert_prints(x0, "tensor([1])");
    assert_prints(x1, "tensor([1], device='cuda:1')");
    cuda_set_device(1);
    assert_prints(x1, "tensor([1])");
    assert_prints(x0, "tensor([1], device='cuda:0')");
    cuda_set_device(0);
    default_device_set(CPU);
    assert_prints(x0, "tensor([1], device='cuda:0')");
}

/* ---- NumPy's form -------------------------------------------------------- */

static void assert_numpy(DType dtype, Shape shape, const void *data,
                         const char *text)
{
    char *printed = numpy_str(dtype, shape, data);
    assert_non_null(printed);
    assert_string_equal(printed, text);
    mem_free(printed);
}

static void numpy_prints_without_commas(void **state)
{
    (void)state;
    assert_numpy(FLOAT32, shape(5), floats(1, 1, 1, 1, 1),
                 "[1. 1. 1. 1. 1.]"); // seeds 1.4
    assert_numpy(FLOAT32, shape(3), floats(0.1f, 20, 1.0f / 3),
                 "[ 0.1        20.          0.33333334]");
    assert_numpy(INT64, shape(2, 2), ints(1, -20, 3, 4),
                 "[[  1 -20]\n [  3   4]]");
    assert_numpy(FLOAT64, shape(2), (double[]){1e-10, 1}, "[1.e-10 1.e+00]");
    assert_numpy(FLOAT32, shape(3), floats(NAN, -INFINITY, 2.5f),
                 "[ nan -inf  2.5]");
    assert_numpy(BOOL, shape(2), (bool[]){true, false}, "[ True False]");
    assert_numpy(FLOAT32, shape_scalar(), floats(1), "1.0");
    assert_numpy(FLOAT32, shape(0), NULL, "[]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scoped_test(one_form_for_all_numbers),
        scoped_test(single_numbers),
        scoped_test(nothing_at_all),
        scoped_test(bools_and_halves),
        scoped_test(long_tensors_are_summarised),
        scoped_test(lines_wrap_at_80),
        scoped_test(blocks_are_parted_by_an_empty_line),
        scoped_test(gradients_are_told),
        scoped_test(where_tensors_are_born_is_not_told),
        scoped_test(numpy_prints_without_commas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

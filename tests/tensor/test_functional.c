/* Arithmetic, reductions, products and views: values, places, dtypes and every
 * sentence of refusal. Each value test runs on the CPU and on a GPU. */
#include "check.h"
#include <stdio.h>
#include <string.h>

static const Device places[] = {{DEVICE_CPU, -1}, {DEVICE_CUDA, 3}};
enum { N_PLACES = 2 };

/* x prints as text, plus the suffix of the GPU when it lives there. The texts
 * leave " @" where the suffix goes. */
static void assert_shows(Tensor *x, Device place, const char *text)
{
    char wanted[2048];
    const char *mark = strchr(text, '@');
    assert_non_null(mark);
    snprintf(wanted, sizeof wanted, "%.*s%s%s", (int)(mark - text), text,
             device_is_cuda(place) ? ", device='cuda:3'" : "", mark + 1);
    assert_prints(x, wanted);
}

static Tensor *row(Device place)
{
    return tensor_new(FLOAT32, shape(3), floats(1, -2, 4), place);
}

static Tensor *table(Device place)
{
    return tensor_new(INT64, shape(2, 3), ints(1, 2, 3, 4, 5, 6), place);
}

static void two_tensors(void **state)
{
    (void)state;
    for (int i = 0; i < N_PLACES; i++) {
        Device d = places[i];
        assert_shows(tensor_add(row(d), row(d)), d, "tensor([ 2., -4.,  8.]@)");
        assert_shows(tensor_sub(row(d), table(d)), d,
                     "tensor([[ 0., -4.,  1.],\n        [-3., -7., -2.]]@)");
        assert_shows(tensor_mul(table(d), table(d)), d,
                     "tensor([[ 1,  4,  9],\n        [16, 25, 36]]@)");
        assert_shows(tensor_div(table(d), table(d)), d,
                     "tensor([[1., 1., 1.],\n        [1., 1., 1.]]@)");
        assert_shows(tensor_neg(row(d)), d, "tensor([-1.,  2., -4.]@)");
    }
}

static void a_tensor_and_a_number(void **state)
{
    (void)state;
    for (int i = 0; i < N_PLACES; i++) {
        Device d = places[i];
        Tensor *n = tensor_select(table(d), 0, 0);
        assert_shows(tensor_add_int(n, 2), d, "tensor([3, 4, 5]@)");
        assert_shows(tensor_add_real(n, 0.5), d,
                     "tensor([1.5000, 2.5000, 3.5000]@)");
        assert_shows(tensor_mul_int(n, -2), d, "tensor([-2, -4, -6]@)");
        assert_shows(tensor_mul_real(n, 2), d, "tensor([2., 4., 6.]@)");
        assert_shows(tensor_div_real(n, 2), d,
                     "tensor([0.5000, 1.0000, 1.5000]@)");
        assert_shows(tensor_pow(n, 2), d, "tensor([1, 4, 9]@)");
        assert_shows(tensor_pow_real(n, -1), d,
                     "tensor([1.0000, 0.5000, 0.3333]@)");
    }
}

static void in_place(void **state)
{
    (void)state;
    for (int i = 0; i < N_PLACES; i++) {
        Device d = places[i];
        Tensor *x = row(d);
        assert_ptr_equal(tensor_add_(x, tensor_select(table(d), 0, 0)), x);
        assert_shows(x, d, "tensor([2., 0., 7.]@)");
        assert_ptr_equal(tensor_add_int_(x, 1), x);
        assert_ptr_equal(tensor_add_real_(x, 0.5), x);
        assert_ptr_equal(tensor_mul_real_(x, 2), x);
        assert_shows(x, d, "tensor([ 7.,  3., 17.]@)");
        assert_ptr_equal(tensor_add_scaled_(x, row(d), -1), x);
        assert_shows(x, d, "tensor([ 6.,  5., 13.]@)");
        assert_ptr_equal(tensor_copy_(x, row(CPU)), x);
        assert_shows(x, d, "tensor([ 1., -2.,  4.]@)");
        assert_ptr_equal(tensor_zero_(x), x);
        assert_shows(x, d, "tensor([0., 0., 0.]@)");
    }
}

static void functions_of_one_number(void **state)
{
    (void)state;
    for (int i = 0; i < N_PLACES; i++) {
        Device d = places[i];
        assert_shows(tensor_exp(row(d)), d,
                     "tensor([ 2.7183,  0.1353, 54.5981]@)");
        assert_shows(tensor_log(row(d)), d,
                     "tensor([0.0000,    nan, 1.3863]@)");
        assert_shows(tensor_sqrt(row(d)), d, "tensor([1., nan, 2.]@)");
        assert_shows(tensor_relu(row(d)), d, "tensor([1., 0., 4.]@)");
        assert_shows(tensor_tanh(row(d)), d,
                     "tensor([ 0.7616, -0.9640,  0.9993]@)");
        assert_shows(tensor_sigmoid(row(d)), d,
                     "tensor([0.7311, 0.1192, 0.9820]@)");
    }
}

static void reductions(void **state)
{
    (void)state;
    for (int i = 0; i < N_PLACES; i++) {
        Device d = places[i];
        assert_shows(tensor_sum(table(d)), d, "tensor(21@)");
        assert_shows(tensor_mean(row(d)), d, "tensor(1.@)");
        assert_shows(tensor_max(table(d)), d, "tensor(6@)");
        assert_shows(tensor_sum_dim(table(d), 0, false), d,
                     "tensor([5, 7, 9]@)");
        assert_shows(tensor_sum_dim(table(d), -1, true), d,
                     "tensor([[ 6],\n        [15]]@)");
        assert_shows(tensor_mean_dim(tensor_cast(table(d), FLOAT32), 1, false),
                     d, "tensor([2., 5.]@)");
        assert_shows(tensor_argmax_dim(table(d), 1), d, "tensor([2, 2]@)");
    }
}

static void products(void **state)
{
    (void)state;
    for (int i = 0; i < N_PLACES; i++) {
        Device d = places[i];
        Tensor *a = tensor_cast(table(d), FLOAT32);
        Tensor *at = tensor_transpose(a, 0, 1);
        assert_shows(tensor_matmul(a, at), d,
                     "tensor([[14., 32.],\n        [32., 77.]]@)");
        assert_shows(tensor_matmul(a, row(d)), d, "tensor([ 9., 18.]@)");
        assert_shows(tensor_matmul(row(d), at), d, "tensor([ 9., 18.]@)");
        assert_shows(tensor_matmul(row(d), row(d)), d, "tensor(21.@)");
        Tensor *bias = tensor_ones(FLOAT32, shape(2), d);
        assert_shows(tensor_linear(row(d), a, bias), d, "tensor([10., 19.]@)");
        assert_shows(tensor_linear(a, a, NULL), d,
                     "tensor([[14., 32.],\n        [32., 77.]]@)");
    }
}

static void shapes(void **state)
{
    (void)state;
    for (int i = 0; i < N_PLACES; i++) {
        Device d = places[i];
        Tensor *x = table(d);
        Tensor *y = tensor_reshape(x, shape(3, -1));
        assert_shows(y, d,
                     "tensor([[1, 2],\n        [3, 4],\n        [5, 6]]@)");
        assert_true(tensor_shares_storage(x, y));
        Tensor *t = tensor_transpose(x, 0, 1);
        assert_shows(t, d,
                     "tensor([[1, 4],\n        [2, 5],\n        [3, 6]]@)");
        assert_true(tensor_shares_storage(x, t));
        assert_false(tensor_shares_storage(x, tensor_reshape(t, shape(6))));
        assert_shows(tensor_reshape(t, shape(6)), d,
                     "tensor([1, 4, 2, 5, 3, 6]@)");
        assert_false(tensor_shares_storage(x, tensor_contiguous(t)));
        assert_ptr_equal(tensor_contiguous(x), x);
        assert_shows(tensor_slice(x, 1, 1, 3), d,
                     "tensor([[2, 3],\n        [5, 6]]@)");
        assert_shows(tensor_select(x, 0, -1), d, "tensor([4, 5, 6]@)");
        assert_shows(tensor_unsqueeze(tensor_select(x, 0, 0), 0), d,
                     "tensor([[1, 2, 3]]@)");
        assert_shows(tensor_expand(tensor_select(x, 0, 0), shape(2, -1)), d,
                     "tensor([[1, 2, 3],\n        [1, 2, 3]]@)");
        tensor_add_int_(tensor_select(x, 0, 0), 10); // the view writes x
        assert_shows(x, d, "tensor([[11, 12, 13],\n        [ 4,  5,  6]]@)");
    }
}

static void joined_and_cut(void **state)
{
    (void)state;
    for (int i = 0; i < N_PLACES; i++) {
        Device d = places[i];
        Tensor *x = table(d), *pieces[4];
        assert_shows(tensor_cat((Tensor *[]){x, x}, 2, -1), d,
                     "tensor([[1, 2, 3, 1, 2, 3],\n        [4, 5, 6, 4, 5, "
                     "6]]@)");
        Tensor *two = tensor_stack((Tensor *[]){x, x}, 2, 0);
        assert_string_equal(shape_str(tensor_shape(two)).text,
                            "torch.Size([2, 2, 3])");
        assert_int_equal(tensor_chunk(x, 2, 1, pieces), 2);
        assert_shows(pieces[0], d, "tensor([[1, 2],\n        [4, 5]]@)");
        assert_shows(pieces[1], d, "tensor([[3],\n        [6]]@)");
        assert_true(tensor_shares_storage(pieces[0], x));
        Tensor *index = tensor_new(INT64, shape(3), ints(1, 0, 1), d);
        assert_shows(tensor_index_select(x, 0, index), d,
                     "tensor([[4, 5, 6],\n        [1, 2, 3],\n        [4, 5, "
                     "6]]@)");
    }
}

static void fewer_pieces_than_asked_for(void **state)
{
    (void)state;
    Tensor *pieces[8];
    Tensor *five = tensor_ones(FLOAT32, shape(5), CPU);
    assert_int_equal(tensor_chunk(five, 4, 0, pieces), 3);
    assert_int_equal(tensor_numel(pieces[2]), 1);
    Tensor *none = tensor_ones(FLOAT32, shape(0), CPU);
    assert_int_equal(tensor_chunk(none, 3, 0, pieces), 3);
    assert_int_equal(tensor_numel(pieces[1]), 0);
}

static void alike(void **state)
{
    (void)state;
    for (int i = 0; i < N_PLACES; i++) {
        Device d = places[i];
        assert_true(tensor_equal(row(d), row(d)));
        assert_false(tensor_equal(row(d), tensor_neg(row(d))));
        assert_true(
            tensor_allclose(row(d), tensor_add_real(row(d), 1e-7), 1e-5, 1e-8));
        assert_false(
            tensor_allclose(row(d), tensor_add_real(row(d), 1e-3), 1e-5, 1e-8));
    }
    assert_false(tensor_equal(row(places[0]), row(places[1])));
    assert_failure(ERR_DEVICE, "expected device cpu but got device cuda:3");
}

static void devices_do_not_mix(void **state)
{
    (void)state;
    Tensor *x = row(CPU), *x7 = row(GPU(7)), *x0 = row(GPU(0));
    assert_refused(tensor_add(x7, x), ERR_DEVICE, // seeds 0.10
                   "expected device cuda:7 but got device cpu");
    assert_refused(tensor_add(x7, x0), ERR_DEVICE, // seeds 0.11, seeds T13
                   "expected device cuda:7 but got device cuda:0");
    assert_refused(tensor_mul(x, x0), ERR_DEVICE, // seeds 1.3
                   "expected device cpu but got device cuda:0");
    assert_refused(tensor_cat((Tensor *[]){x0, x}, 2, 0), ERR_DEVICE,
                   "expected device cuda:0 but got device cpu");
    // seeds T19: a single number may join
    Tensor *two = tensor_new(FLOAT32, shape_scalar(), floats(2), CPU);
    assert_prints(tensor_mul(x7, two),
                  "tensor([ 2., -4.,  8.], device='cuda:7')");
}

static void shapes_that_do_not_fit(void **state)
{
    (void)state;
    Tensor *three = row(CPU), *four = tensor_zeros(FLOAT32, shape(4), CPU);
    Tensor *a = tensor_zeros(FLOAT32, shape(2, 4), CPU);
    Tensor *pieces[2];
    assert_refused(tensor_add(three, four), ERR_RUNTIME,
                   "The size of tensor a (3) must match the size of tensor b "
                   "(4) at non-singleton dimension 0");
    assert_refused(tensor_add_(tensor_select(a, 0, 0), a), ERR_RUNTIME,
                   "output with shape [4] doesn't match the broadcast shape "
                   "[2, 4]");
    assert_refused(tensor_matmul(a, tensor_zeros(FLOAT32, shape(3, 1), CPU)),
                   ERR_RUNTIME,
                   "mat1 and mat2 shapes cannot be multiplied (2x4 and 3x1)");
    assert_refused(tensor_reshape(a, shape(3, 3)), ERR_RUNTIME,
                   "shape '[3, 3]' is invalid for input of size 8");
    assert_refused(tensor_stack((Tensor *[]){three, four}, 2, 0), ERR_RUNTIME,
                   "stack expects each tensor to be equal size, but got [3] "
                   "at entry 0 and [4] at entry 1");
    assert_refused(tensor_stack((Tensor *[]){three}, 0, 0), ERR_RUNTIME,
                   "stack expects a non-empty TensorList");
    assert_refused(tensor_cat((Tensor *[]){three}, 0, 0), ERR_RUNTIME,
                   "torch.cat(): expected a non-empty list of Tensors");
    assert_refused(tensor_select(a, 0, 5), ERR_INDEX,
                   "index 5 is out of bounds for dimension 0 with size 2");
    assert_refused(tensor_unsqueeze(a, 5), ERR_INDEX,
                   "Dimension out of range (expected to be in range of [-3, "
                   "2], but got 5)");
    assert_int_equal(tensor_chunk(a, 0, 0, pieces), -1);
    assert_failure(ERR_RUNTIME,
                   "chunk expects `chunks` to be greater than 0, got: 0");
    assert_int_equal(tensor_chunk(tensor_sum(a), 2, 0, pieces), -1);
    assert_failure(ERR_RUNTIME,
                   "chunk expects at least a 1-dimensional tensor");
}

static void dtypes_that_do_not_fit(void **state)
{
    (void)state;
    Tensor *n = tensor_new(INT64, shape(2), ints(2, 3), CPU);
    assert_refused(tensor_pow(n, -1), ERR_RUNTIME,
                   "Integers to negative integer powers are not allowed.");
    assert_refused(tensor_add_real_(n, 0.5), ERR_RUNTIME,
                   "result type Float can't be cast to the desired output "
                   "type Long");
    assert_refused(tensor_mean(n), ERR_RUNTIME,
                   "mean(): could not infer output dtype. Input dtype must be "
                   "either a floating point or complex dtype. Got: Long");
}

static void a_bad_index_on_the_cpu(void **state)
{
    (void)state;
    Tensor *index = tensor_new(INT64, shape(1), ints(2), CPU);
    assert_refused(tensor_index_select(table(CPU), 0, index), ERR_INDEX,
                   "index out of range in self");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scoped_test(two_tensors),
        scoped_test(a_tensor_and_a_number),
        scoped_test(in_place),
        scoped_test(functions_of_one_number),
        scoped_test(reductions),
        scoped_test(products),
        scoped_test(shapes),
        scoped_test(joined_and_cut),
        scoped_test(fewer_pieces_than_asked_for),
        scoped_test(alike),
        scoped_test(devices_do_not_mix),
        scoped_test(shapes_that_do_not_fit),
        scoped_test(dtypes_that_do_not_fit),
        scoped_test(a_bad_index_on_the_cpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

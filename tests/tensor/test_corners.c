/* Where gradients are easily wrong: what was changed in place, what is empty,
 * what is no number. Values and sentences are PyTorch 1.13's. */
#include "check.h"
#include "tensor/loss_function.h" // defines: tensor_nll_loss, …
#include <math.h>

static Tensor *leaf(Shape shape, const float *numbers)
{
    Tensor *x = tensor_new(FLOAT32, shape, numbers, CPU);
    assert_int_equal(tensor_set_requires_grad(x, true), OK);
    return x;
}

/* As an optimiser's step does it. */
static void double_in_place(Tensor *x)
{
    bool previous = no_grad_enter();
    assert_ptr_equal(tensor_mul_real_(x, 2), x);
    no_grad_leave(previous);
}

/* ---- in place ----------------------------------------------------------- */

/* The gradient of w asks for x alone: w may have changed since. */
static void a_factor_is_saved_for_the_other_one_only(void **state)
{
    (void)state;
    Tensor *x = tensor_new(FLOAT32, shape(2), floats(3, 5), CPU);
    Tensor *w = leaf(shape(2), floats(1, 2));
    Tensor *b = leaf(shape(2), floats(1, 1));
    Tensor *both = tensor_add(tensor_mul(w, x), tensor_div(b, x));
    double_in_place(w);
    double_in_place(b);
    assert_int_equal(tensor_backward(tensor_sum(both)), OK);
    assert_prints(tensor_grad(w), "tensor([3., 5.])");
    assert_prints(tensor_grad(b), "tensor([0.3333, 0.2000])");
    Tensor *y = tensor_mul(w, b);
    double_in_place(b);
    assert_int_equal(tensor_backward(tensor_sum(y)), ERR_RUNTIME);
    status_take();
}

static void a_products_factors_likewise(void **state)
{
    (void)state;
    Tensor *x = tensor_new(FLOAT32, shape(1, 2), floats(3, 5), CPU);
    Tensor *w = leaf(shape(1, 2), floats(1, 2));
    Tensor *v = leaf(shape(2), floats(1, 2));
    Tensor *y = tensor_add(tensor_linear(x, w, NULL), tensor_matmul(x, v));
    double_in_place(w);
    double_in_place(v);
    assert_int_equal(tensor_backward(tensor_sum(y)), OK);
    assert_prints(tensor_grad(w), "tensor([[3., 5.]])");
    assert_prints(tensor_grad(v), "tensor([3., 5.])");
}

/* What is overwritten counted for nothing: its gradient is zero, no more and no
 * less. */
static void what_is_filled_gets_a_gradient_of_zero(void **state)
{
    (void)state;
    Tensor *(*const fills[])(Tensor *, double, double) = {tensor_uniform_,
                                                          tensor_normal_};
    const char *const names[] = {"UniformBackward", "NormalBackward"};
    for (int i = 0; i < 2; i++) {
        Tensor *x = leaf(shape(2), floats(1, 2));
        Tensor *y = fills[i](tensor_add_real(x, 1), 0, 1);
        assert_string_equal(tensor_grad_fn(y), names[i]);
        assert_int_equal(tensor_backward(tensor_sum(y)), OK);
        assert_prints(tensor_grad(x), "tensor([0., 0.])");
    }
    Tensor *x = leaf(shape(2), floats(1, 2));
    Tensor *y = tensor_bernoulli_(tensor_add_real(x, 1), 0.5);
    assert_string_equal(tensor_grad_fn(y), "BernoulliBackward");
    y = tensor_add(y, tensor_zero_(tensor_mul_real(x, 3)));
    assert_int_equal(tensor_backward(tensor_sum(y)), OK);
    assert_prints(tensor_grad(x), "tensor([0., 0.])");
}

static void backward_may_not_begin_at_a_stale_view(void **state)
{
    (void)state;
    Tensor *x = leaf(shape(2), floats(1, 2));
    Tensor *y = tensor_mul_real(x, 3), *part = tensor_select(y, 0, 0);
    tensor_mul_real_(y, 10);
    assert_int_equal(tensor_backward(part), ERR_RUNTIME);
    assert_failure(ERR_RUNTIME,
                   "a view was used after its memory had been changed in "
                   "place; its gradient would be wrong. Take the view again, "
                   "or clone() it before the change.");
    assert_int_equal(tensor_backward(tensor_select(y, 0, 0)), OK);
    assert_prints(tensor_grad(x), "tensor([30.,  0.])");
}

/* A view made before its base came to have a history has none of it. */
static void a_view_does_not_lose_a_history(void **state)
{
    (void)state;
    const char *sentence =
        "a view was used after its memory had been changed in place; its "
        "gradient would be wrong. Take the view again, or clone() it before "
        "the change.";
    Tensor *w = leaf(shape(2), floats(1, 2));
    Tensor *x = tensor_new(FLOAT32, shape(2), floats(3, 4), CPU);
    Tensor *before = tensor_unsqueeze(x, 0);
    tensor_add_int_(x, 1); // no history: the view sees it, as it should
    assert_prints(tensor_mul_int(before, 2), "tensor([[ 8., 10.]])");
    tensor_add_(x, w);
    assert_refused(tensor_mul(before, w), ERR_RUNTIME, sentence);
    assert_refused(tensor_mul_int(before, 2), ERR_RUNTIME, sentence);
    assert_refused(tensor_mul_real_(before, 2), ERR_RUNTIME, sentence);
    Tensor *after = tensor_unsqueeze(x, 0);
    assert_int_equal(tensor_backward(tensor_sum(tensor_mul(after, w))), OK);
    assert_prints(tensor_grad(w), "tensor([6., 9.])");
    bool previous = no_grad_enter();
    assert_non_null(tensor_mul_int(before, 2)); // nobody asks for a gradient
    no_grad_leave(previous);
}

/* ---- no memory ----------------------------------------------------------- */

/* Whichever allocation fails, the next backward is whole. */
static void a_backward_without_memory_can_be_repeated(void **state)
{
    (void)state;
    enum { LONG = 70 }; // longer than a list is at first
    Tensor *x = leaf(shape(1), floats(1));
    Tensor *y = x;
    for (int i = 0; i < LONG; i++)
        y = tensor_add(y, x);
    Status status = ERR_MEMORY;
    for (long n = 1; status != OK; n++) {
        assert_int_equal(tensor_set_grad(x, NULL), OK);
        mem_fail_after(n);
        status = tensor_backward_with(y, NULL, true);
        mem_fail_after(0);
        assert_int_equal(status_take(), status);
        if (n % 16 != 0 && status != OK)
            continue;
        assert_int_equal(tensor_set_grad(x, NULL), OK);
        assert_int_equal(tensor_backward_with(y, NULL, true), OK);
        assert_true(tensor_item(tensor_grad(x)) == LONG + 1);
    }
}

/* ---- nothing, and no number ---------------------------------------------- */

static void a_power_of_zero_sends_back_zero(void **state)
{
    (void)state;
    Tensor *x = leaf(shape(3), floats(1, -1, 0));
    tensor_backward(tensor_neg(tensor_sum(tensor_pow(x, 0))));
    assert_prints(tensor_grad(x), "tensor([0., 0., 0.])");
}

static void the_largest_may_be_no_number(void **state)
{
    (void)state;
    Tensor *x = leaf(shape(3), floats(1, NAN, NAN));
    tensor_backward(tensor_max(x));
    assert_prints(tensor_grad(x), "tensor([0.0000, 0.5000, 0.5000])");
}

static void a_gradient_passes_where_there_is_no_number(void **state)
{
    (void)state;
    Tensor *x = leaf(shape(3), floats(NAN, -1, 1));
    tensor_backward(tensor_sum(tensor_relu(x)));
    assert_prints(tensor_grad(x), "tensor([1., 0., 1.])");
}

static void an_empty_list_stands_beside_anything(void **state)
{
    (void)state;
    Tensor *x = leaf(shape(1, 2), floats(1, 2)), *none = leaf(shape(0), NULL);
    Tensor *both[] = {none, x};
    tensor_backward(tensor_sum(tensor_cat(both, 2, 1)));
    assert_fine();
    assert_prints(tensor_grad(x), "tensor([[1., 1.]])");
    assert_prints(tensor_grad(none), "tensor([])");
}

static void an_empty_part_can_be_looked_at(void **state)
{
    (void)state;
    Tensor *x = tensor_zeros(FLOAT32, shape(3, 0), CPU);
    assert_prints(tensor_select(x, 0, 2), "tensor([])");
    assert_prints(tensor_add_int(tensor_slice(x, 0, 1, 3), 1),
                  "tensor([], size=(2, 0))");
}

static void a_layer_without_inputs_has_gradients(void **state)
{
    (void)state;
    Tensor *x = tensor_zeros(FLOAT32, shape(2, 0), CPU);
    Tensor *w = tensor_zeros(FLOAT32, shape(3, 0), CPU);
    Tensor *b = leaf(shape(3), floats(1, 2, 3));
    tensor_set_requires_grad(w, true);
    tensor_backward(tensor_sum(tensor_linear(x, w, b)));
    assert_fine();
    assert_prints(tensor_grad(b), "tensor([2., 2., 2.])");
    assert_prints(tensor_grad(w), "tensor([], size=(3, 0))");
}

static void a_number_can_be_picked_from_itself(void **state)
{
    (void)state;
    Tensor *x = tensor_full(FLOAT32, shape_scalar(), 3, CPU);
    tensor_set_requires_grad(x, true);
    Tensor *index = tensor_zeros(INT64, shape(1), CPU);
    Tensor *y = tensor_index_select(x, 0, index);
    assert_prints(y, "tensor(3., grad_fn=<IndexSelectBackward>)");
    tensor_backward(y);
    assert_prints(tensor_grad(x), "tensor(1.)");
}

static void an_integer_is_not_made_of_no_number(void **state)
{
    (void)state;
    const double wrong[] = {NAN, -INFINITY, 1e20};
    const char *const sentences[] = {"cannot convert float NaN to integer",
                                     "cannot convert float infinity to integer",
                                     "1e+20 does not fit in an int64"};
    for (int i = 0; i < 3; i++) {
        Tensor *x = tensor_full(FLOAT64, shape_scalar(), wrong[i], CPU);
        assert_int_equal(tensor_item_int(x), 0);
        assert_failure(ERR_VALUE, sentences[i]);
    }
    Tensor *x = tensor_full(FLOAT64, shape_scalar(), -2.9, CPU);
    assert_int_equal(tensor_item_int(x), -2);
}

static void a_list_of_fewer_than_none_is_empty(void **state)
{
    (void)state;
    Tensor *x = tensor_zeros(FLOAT32, shape(2), CPU);
    assert_refused(tensor_cat(&x, -1, 0), ERR_RUNTIME,
                   "torch.cat(): expected a non-empty list of Tensors");
    assert_refused(tensor_stack(&x, -1, 0), ERR_RUNTIME,
                   "stack expects a non-empty TensorList");
}

/* A window that does not fit holds nothing afterwards. */
static void a_negative_size_leaves_nothing_behind(void **state)
{
    (void)state;
    float number = 1;
    long live = mem_live_count();
    assert_refused(tensor_from_host(FLOAT32, shape(-1), &number), ERR_RUNTIME,
                   "Trying to create tensor with negative dimension -1: [-1]");
    assert_int_equal(mem_live_count(), live);
}

/* ---- losses -------------------------------------------------------------- */

static Tensor *nll(Tensor *x, Shape shape, const int64_t *classes,
                   Tensor *weight)
{
    Tensor *target = tensor_new(INT64, shape, classes, CPU);
    return tensor_nll_loss(x, target, weight, -100, REDUCTION_MEAN);
}

/* Of a class that is not the target's nothing comes back, whatever weighs
 * what: not -0 and not NaN. */
static void other_classes_get_zero(void **state)
{
    (void)state;
    Tensor *x = leaf(shape(1, 3), floats(-1, -2, -3));
    tensor_backward(nll(x, shape(1), ints(1), NULL));
    assert_prints(tensor_grad(x), "tensor([[ 0., -1.,  0.]])");
    tensor_set_grad(x, NULL);
    Tensor *weightless = tensor_zeros(FLOAT32, shape(3), CPU);
    tensor_backward(nll(x, shape(1), ints(1), weightless));
    assert_prints(tensor_grad(x), "tensor([[0., nan, 0.]])");
}

static void a_loss_names_the_sizes_that_do_not_fit(void **state)
{
    (void)state;
    Tensor *row = tensor_zeros(FLOAT32, shape(3), CPU);
    assert_refused(nll(row, shape(1), ints(1), NULL), ERR_RUNTIME,
                   "size mismatch (got input: [3], target: [1])");
    Tensor *rows = tensor_zeros(FLOAT32, shape(1, 3), CPU);
    assert_refused(nll(rows, shape_scalar(), ints(1), NULL), ERR_VALUE,
                   "Expected input batch_size (1) to match target batch_size "
                   "(0).");
    Tensor *whole = tensor_zeros(INT64, shape(1, 3), CPU);
    assert_refused(nll(whole, shape(1), ints(1), NULL), ERR_RUNTIME,
                   "\"nll_loss_out_frame\" not implemented for 'Long'");
}

/* (2 / n (x - t)) times what came back, in that order: the last bit. */
static void mse_rounds_as_pytorch(void **state)
{
    (void)state;
    Tensor *x = leaf(shape(3), floats(0.1F, 0.7F, -1.3F));
    Tensor *t = tensor_zeros(FLOAT32, shape(3), CPU);
    Tensor *loss = tensor_mse_loss(x, t, REDUCTION_MEAN);
    tensor_backward(tensor_mul_real(loss, 0.3));
    const float expected[] = {0x1.47ae16p-6F, 0x1.1eb852p-3F, -0x1.0a3d72p-2F};
    double got[3];
    assert_int_equal(tensor_read(tensor_grad(x), got, 3), OK);
    for (int i = 0; i < 3; i++)
        assert_true(got[i] == (double)expected[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scoped_test(a_factor_is_saved_for_the_other_one_only),
        scoped_test(a_products_factors_likewise),
        scoped_test(what_is_filled_gets_a_gradient_of_zero),
        scoped_test(backward_may_not_begin_at_a_stale_view),
        scoped_test(a_view_does_not_lose_a_history),
        scoped_test(a_backward_without_memory_can_be_repeated),
        scoped_test(a_power_of_zero_sends_back_zero),
        scoped_test(the_largest_may_be_no_number),
        scoped_test(a_gradient_passes_where_there_is_no_number),
        scoped_test(an_empty_list_stands_beside_anything),
        scoped_test(an_empty_part_can_be_looked_at),
        scoped_test(a_layer_without_inputs_has_gradients),
        scoped_test(a_number_can_be_picked_from_itself),
        scoped_test(an_integer_is_not_made_of_no_number),
        scoped_test(a_list_of_fewer_than_none_is_empty),
        scoped_test(a_negative_size_leaves_nothing_behind),
        scoped_test(other_classes_get_zero),
        scoped_test(a_loss_names_the_sizes_that_do_not_fit),
        scoped_test(mse_rounds_as_pytorch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

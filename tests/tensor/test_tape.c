/* Leaves, history and the rules of backward. */
#include "check.h"

static Tensor *leaf(float a, float b)
{
    Tensor *x = tensor_new(FLOAT32, shape(2), floats(a, b), CPU);
    assert_int_equal(tensor_set_requires_grad(x, true), OK);
    return x;
}

static void leaves_and_history(void **state)
{
    (void)state;
    Tensor *x = leaf(1, 2), *plain = tensor_ones(FLOAT32, shape(2), CPU);
    assert_true(tensor_is_leaf(x) && tensor_requires_grad(x));
    assert_null(tensor_grad_fn(x));
    assert_false(tensor_requires_grad(tensor_add(plain, plain)));
    Tensor *y = tensor_add(x, plain);
    assert_true(tensor_requires_grad(y) && !tensor_is_leaf(y));
    assert_string_equal(tensor_grad_fn(y), "AddBackward0");
    Tensor *d = tensor_detach(y);
    assert_true(tensor_is_leaf(d) && !tensor_requires_grad(d));
    assert_true(tensor_shares_storage(d, y));
    assert_false(tensor_requires_grad(tensor_argmax_dim(x, 0)));
}

static void steps_have_the_names_of_the_seeds(void **state)
{
    (void)state;
    Tensor *x = tensor_ones(FLOAT32, shape(2, 2), CPU), *pieces[2];
    tensor_set_requires_grad(x, true);
    Tensor *v = tensor_select(x, 0, 0);
    tensor_chunk(x, 2, 0, pieces);
    Tensor *index = tensor_zeros(INT64, shape(1), CPU);
    const struct {
        Tensor *made;
        const char *name;
    } steps[] = {
        {tensor_add(x, x), "AddBackward0"},
        {tensor_add_int(x, 1), "AddBackward0"},
        {tensor_sub(x, x), "SubBackward0"},
        {tensor_mul(x, x), "MulBackward0"},
        {tensor_mul_int(x, 2), "MulBackward0"},
        {tensor_div(x, x), "DivBackward0"},
        {tensor_div_real(x, 2), "DivBackward0"},
        {tensor_neg(x), "NegBackward"},
        {tensor_pow(x, 2), "PowBackward0"},
        {tensor_exp(x), "ExpBackward"},
        {tensor_log(x), "LogBackward"},
        {tensor_sqrt(x), "SqrtBackward"},
        {tensor_relu(x), "ReluBackward0"},
        {tensor_tanh(x), "TanhBackward"},
        {tensor_sigmoid(x), "SigmoidBackward"},
        {tensor_sum(x), "SumBackward0"},
        {tensor_sum_dim(x, 0, false), "SumBackward1"},
        {tensor_mean(x), "MeanBackward0"},
        {tensor_mean_dim(x, 0, false), "MeanBackward1"},
        {tensor_max(x), "MaxBackward1"},
        {tensor_matmul(x, x), "MmBackward"},
        {tensor_matmul(x, v), "MvBackward"},
        {tensor_matmul(v, v), "DotBackward"},
        {tensor_linear(x, x, v), "AddmmBackward"},
        {tensor_linear(x, x, NULL), "MmBackward"},
        {tensor_linear(v, x, v), "AddBackward0"},
        {tensor_reshape(x, shape(4)), "ViewBackward"},
        {tensor_transpose(x, 0, 1), "TransposeBackward0"},
        {tensor_slice(x, 0, 0, 1), "SliceBackward"},
        {v, "SelectBackward"},
        {tensor_unsqueeze(x, 0), "UnsqueezeBackward0"},
        {tensor_expand(x, shape(3, 2, 2)), "ExpandBackward"},
        {tensor_cat(&x, 1, 0), "CatBackward"},
        {tensor_stack(&x, 1, 0), "StackBackward"},
        {pieces[1], "SplitBackward"},
        {tensor_index_select(x, 0, index), "IndexSelectBackward"},
        {tensor_clone(x), "CloneBackward"},
        {tensor_cast(x, FLOAT64), "CopyBackwards"},
        {tensor_to(x, GPU(0)), "CopyBackwards"},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        assert_fine();
        assert_string_equal(tensor_grad_fn(steps[i].made), steps[i].name);
    }
}

static void gradients_add_up(void **state)
{
    (void)state;
    Tensor *x = leaf(1, 2);
    assert_null(tensor_grad(x));
    assert_int_equal(tensor_backward(tensor_sum(tensor_mul(x, x))), OK);
    assert_prints(tensor_grad(x), "tensor([2., 4.])");
    Tensor *first = tensor_grad(x);
    assert_int_equal(tensor_backward(tensor_sum(x)), OK);
    assert_prints(tensor_grad(x), "tensor([3., 5.])");
    assert_ptr_equal(tensor_grad(x), first); // whoever holds it sees it grow
    assert_int_equal(tensor_set_grad(x, NULL), OK);
    assert_null(tensor_grad(x));
}

static void leaves_do_not_share_a_gradient(void **state)
{
    (void)state;
    Tensor *a = leaf(1, 2), *b = leaf(3, 4);
    assert_int_equal(tensor_backward(tensor_sum(tensor_add(a, b))), OK);
    assert_int_equal(tensor_backward(tensor_sum(a)), OK);
    assert_prints(tensor_grad(a), "tensor([2., 2.])");
    assert_prints(tensor_grad(b), "tensor([1., 1.])");
    assert_true(tensor_is_contiguous(tensor_grad(b)));
}

static void two_ways_meet(void **state)
{
    (void)state;
    Tensor *x = leaf(1, 2);
    Tensor *y = tensor_mul_real(x, 3);
    Tensor *z = tensor_add(tensor_mul(y, y), tensor_exp(tensor_mul_int(y, 0)));
    assert_int_equal(tensor_backward(tensor_sum(z)), OK);
    assert_prints(tensor_grad(x), "tensor([18., 36.])");
}

static void gradients_live_where_the_leaf_lives(void **state)
{
    (void)state; // seeds 2.11
    Tensor *x = leaf(1, 2);
    Tensor *far = tensor_to(tensor_mul_int(tensor_to(x, GPU(1)), 2), GPU(2));
    assert_int_equal(tensor_backward(tensor_sum(far)), OK);
    assert_prints(tensor_grad(x), "tensor([2., 2.])");
    Tensor *w = tensor_ones(FLOAT32, shape(2), GPU(3));
    tensor_set_requires_grad(w, true);
    assert_int_equal(tensor_backward(tensor_sum(tensor_mul(tensor_cpu(w), x))),
                     OK);
    assert_prints(tensor_grad(w), "tensor([1., 2.], device='cuda:3')");
}

static void backward_on_a_gpu_that_is_not_current(void **state)
{
    (void)state;
    Tensor *x = tensor_ones(FLOAT32, shape(2, 2), GPU(4));
    tensor_set_requires_grad(x, true);
    assert_int_equal(tensor_backward(tensor_sum(tensor_matmul(x, x))), OK);
    assert_prints(tensor_grad(x),
                  "tensor([[4., 4.],\n        [4., 4.]], device='cuda:4')");
    assert_int_equal(cuda_current_device(), 0);
}

static void dtypes_come_back(void **state)
{
    (void)state;
    Tensor *x = leaf(1, 2);
    Tensor *y = tensor_mul(tensor_cast(x, FLOAT64),
                           tensor_full(FLOAT64, shape(2), 0.1, CPU));
    assert_int_equal(tensor_backward(tensor_sum(y)), OK);
    assert_prints(tensor_grad(x), "tensor([0.1000, 0.1000])");
}

static void equal_largest_share_the_gradient(void **state)
{
    (void)state;
    Tensor *x = tensor_new(FLOAT32, shape(4), floats(7, 1, 7, 7), GPU(0));
    tensor_set_requires_grad(x, true);
    assert_int_equal(tensor_backward(tensor_mul_int(tensor_max(x), 6)), OK);
    assert_prints(tensor_grad(x), "tensor([2., 0., 2., 2.], device='cuda:0')");
}

static void no_grad_records_nothing(void **state)
{
    (void)state; // seeds 2.16
    Tensor *x = leaf(1, 2);
    bool outer = no_grad_enter();
    assert_false(grad_enabled());
    bool inner = no_grad_enter();
    assert_null(tensor_grad_fn(tensor_mul(x, x)));
    no_grad_leave(inner);
    assert_false(grad_enabled());
    assert_non_null(tensor_add_int_(x, 1)); // a leaf, and allowed here
    no_grad_leave(outer);
    assert_true(grad_enabled());
    assert_prints(x, "tensor([2., 3.], requires_grad=True)");
}

static void backward_wants_a_scalar_with_history(void **state)
{
    (void)state;
    Tensor *x = leaf(1, 2);
    assert_int_equal(tensor_backward(tensor_mul(x, x)), ERR_RUNTIME);
    assert_failure(ERR_RUNTIME,
                   "grad can be implicitly created only for scalar outputs");
    tensor_backward(tensor_sum(tensor_ones(FLOAT32, shape(2), CPU)));
    assert_failure(ERR_RUNTIME, "element 0 of tensors does not require grad "
                                "and does not have a grad_fn");
    Tensor *three = tensor_ones(FLOAT32, shape(3), CPU);
    tensor_backward_with(tensor_mul(x, x), three, false);
    assert_failure(ERR_RUNTIME,
                   "Mismatch in shape: grad_output[0] has a shape of "
                   "torch.Size([3]) and output[0] has a shape of "
                   "torch.Size([2]).");
    assert_int_equal(
        tensor_backward_with(tensor_mul(x, x),
                             tensor_full(FLOAT32, shape(2), 10, CPU), false),
        OK);
    assert_prints(tensor_grad(x), "tensor([20., 40.])");
}

static void a_scalar_leaf_is_its_own_loss(void **state)
{
    (void)state;
    Tensor *x = tensor_ones(FLOAT32, shape_scalar(), CPU);
    tensor_set_requires_grad(x, true);
    assert_int_equal(tensor_backward(x), OK);
    assert_prints(tensor_grad(x), "tensor(1.)");
}

static void a_graph_is_walked_once(void **state)
{
    (void)state;
    Tensor *x = leaf(1, 2);
    Tensor *loss = tensor_sum(tensor_mul(x, x));
    assert_int_equal(tensor_backward_with(loss, NULL, true), OK);
    assert_int_equal(tensor_backward(loss), OK);
    assert_prints(tensor_grad(x), "tensor([4., 8.])");
    tensor_backward(loss);
    assert_failure(
        ERR_RUNTIME,
        "Trying to backward through the graph a second time (or directly "
        "access saved tensors after they have already been freed). Saved "
        "intermediate values of the graph are freed when you call .backward() "
        "or autograd.grad(). Specify retain_graph=True if you need to backward "
        "through the graph a second time or if you need to access saved "
        "tensors after calling backward.");
    assert_prints(tensor_grad(x), "tensor([4., 8.])");
}

static void leaves_are_not_changed_in_place(void **state)
{
    (void)state;
    static const char sentence[] = "a leaf Variable that requires grad is "
                                   "being used in an in-place operation.";
    Tensor *x = leaf(1, 2);
    assert_refused(tensor_add_int_(x, 1), ERR_RUNTIME, sentence);
    assert_refused(tensor_zero_(x), ERR_RUNTIME, sentence);
    assert_refused(tensor_copy_(x, x), ERR_RUNTIME, sentence);
    assert_refused(tensor_uniform_(x, 0, 1), ERR_RUNTIME, sentence);
    assert_refused(tensor_add_int_(tensor_slice(x, 0, 0, 1), 1), ERR_RUNTIME,
                   "a view of a leaf Variable that requires grad is being "
                   "used in an in-place operation.");
    assert_refused(
        tensor_add_int_(tensor_slice(tensor_mul(x, x), 0, 0, 1), 1),
        ERR_RUNTIME,
        "a view of a tensor that requires grad is being changed in place; this "
        "library does not trace that. clone() the view first, or change it "
        "under no_grad.");
    assert_prints(x, "tensor([1., 2.], requires_grad=True)");
}

static void others_change_in_place_and_remember(void **state)
{
    (void)state;
    Tensor *x = leaf(1, 2);
    Tensor *y = tensor_mul_real(x, 2);
    assert_ptr_equal(tensor_mul_real_(tensor_add_(y, x), 10), y);
    assert_string_equal(tensor_grad_fn(y), "MulBackward0");
    Tensor *plain = tensor_ones(FLOAT32, shape(2), CPU);
    tensor_add_scaled_(plain, y, 2); // comes to have a history
    assert_true(tensor_requires_grad(plain));
    assert_int_equal(tensor_backward(tensor_sum(plain)), OK);
    assert_prints(tensor_grad(x), "tensor([60., 60.])");
}

static void a_copy_over_it_cuts_the_history(void **state)
{
    (void)state;
    Tensor *x = leaf(1, 2), *w = leaf(3, 4);
    Tensor *y = tensor_mul_real(x, 2);
    tensor_copy_(y, tensor_mul(w, w));
    assert_int_equal(tensor_backward(tensor_sum(y)), OK);
    assert_prints(tensor_grad(w), "tensor([6., 8.])");
    assert_prints(tensor_grad(x), "tensor([0., 0.])");
}

static void a_saved_number_must_stay(void **state)
{
    (void)state;
    Tensor *x = leaf(1, 2);
    Tensor *a = tensor_mul_int(x, 2);
    Tensor *b = tensor_mul(a, a);
    tensor_add_int_(a, 1);
    tensor_backward(tensor_sum(b));
    assert_failure(
        ERR_RUNTIME,
        "one of the variables needed for gradient computation has been "
        "modified by an inplace operation: [torch.FloatTensor [2]], which is "
        "output 0 of AddBackward0, is at version 1; expected version 0 "
        "instead. Hint: enable anomaly detection to find the operation that "
        "failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True).");
    Tensor *e = tensor_exp(x);
    tensor_add_int_(e, 1);
    assert_int_equal(tensor_backward(tensor_sum(e)), ERR_RUNTIME);
    assert_int_equal(status_take(), ERR_RUNTIME);
    assert_null(tensor_grad(x)); // all or nothing
}

static void an_outdated_view_is_refused(void **state)
{
    (void)state;
    Tensor *x = leaf(1, 2);
    Tensor *y = tensor_mul_int(x, 2);
    Tensor *part = tensor_slice(y, 0, 0, 1);
    tensor_add_int_(y, 1);
    assert_null(tensor_mul(part, part));
    assert_failure(ERR_RUNTIME,
                   "a view was used after its memory had been changed in "
                   "place; its gradient would be wrong. Take the view again, "
                   "or clone() it before the change.");
}

static void flags_that_cannot_change(void **state)
{
    (void)state;
    Tensor *n = tensor_ones(INT64, shape(2), CPU);
    tensor_set_requires_grad(n, true);
    assert_failure(ERR_RUNTIME, "Only Tensors of floating point and complex "
                                "dtype can require gradients");
    Tensor *y = tensor_exp(leaf(1, 2));
    tensor_set_requires_grad(y, false);
    assert_failure(ERR_RUNTIME,
                   "you can only change requires_grad flags of leaf variables. "
                   "If you want to use a computed variable in a subgraph that "
                   "doesn't require differentiation use var_no_grad = "
                   "var.detach().");
}

static void gradients_that_do_not_fit(void **state)
{
    (void)state;
    Tensor *x = leaf(1, 2);
    tensor_set_grad(x, tensor_ones(FLOAT32, shape(3), CPU));
    assert_failure(ERR_RUNTIME, "assigned grad has data of a different size");
    tensor_set_grad(x, tensor_ones(FLOAT64, shape(2), CPU));
    assert_failure(ERR_RUNTIME, "assigned grad has data of a different type");
    tensor_set_grad(x, tensor_ones(FLOAT32, shape(2), GPU(0)));
    assert_failure(ERR_RUNTIME,
                   "assigned grad has data located on a different device");
    Tensor *g = tensor_ones(FLOAT32, shape(2), CPU);
    assert_int_equal(tensor_set_grad(x, g), OK);
    assert_ptr_equal(tensor_grad(x), g);
}

static void data_is_replaced_and_the_object_stays(void **state)
{
    (void)state; // seeds 3.16
    Tensor *x = leaf(1, 2);
    uint64_t id = tensor_id(x);
    assert_int_equal(tensor_set_data(x, tensor_to(tensor_detach(x), GPU(1))),
                     OK);
    assert_prints(x, "tensor([1., 2.], device='cuda:1', requires_grad=True)");
    assert_true(tensor_id(x) == id && tensor_is_leaf(x));
    Tensor *square = tensor_mul(x, x);
    tensor_set_data(x, tensor_detach(tensor_half(x)));
    assert_int_equal(tensor_backward(tensor_sum(square)), ERR_RUNTIME);
    assert_int_equal(status_take(), ERR_RUNTIME); // what was saved is gone
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scoped_test(leaves_and_history),
        scoped_test(steps_have_the_names_of_the_seeds),
        scoped_test(gradients_add_up),
        scoped_test(leaves_do_not_share_a_gradient),
        scoped_test(two_ways_meet),
        scoped_test(gradients_live_where_the_leaf_lives),
        scoped_test(backward_on_a_gpu_that_is_not_current),
        scoped_test(dtypes_come_back),
        scoped_test(equal_largest_share_the_gradient),
        scoped_test(no_grad_records_nothing),
        scoped_test(backward_wants_a_scalar_with_history),
        scoped_test(a_scalar_leaf_is_its_own_loss),
        scoped_test(a_graph_is_walked_once),
        scoped_test(leaves_are_not_changed_in_place),
        scoped_test(others_change_in_place_and_remember),
        scoped_test(a_copy_over_it_cuts_the_history),
        scoped_test(a_saved_number_must_stay),
        scoped_test(an_outdated_view_is_refused),
        scoped_test(flags_that_cannot_change),
        scoped_test(gradients_that_do_not_fit),
        scoped_test(data_is_replaced_and_the_object_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

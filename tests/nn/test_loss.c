/* Losses: values, gradients, buffers and sentences. Expected values were
 * printed by PyTorch 1.13.1 on a CPU. */
#include "nn/loss.h" // defines: cross_entropy_loss_new
#include "values.h"  // defines: ASSERT_VALUES, IN_SCOPE

static const float INPUT[] = {.5f, -1, 2, 1, 0, -.5f, .1f, .2f, .3f, 2, 2, -1};

static Tensor *input(void)
{
    Tensor *x = tensor_new(FLOAT32, shape(4, 3), INPUT, device_cpu());
    tensor_set_requires_grad(x, true);
    return x;
}

static Tensor *target(void)
{
    return tensor_new(INT64, shape(4), (int64_t[]){2, 0, 1, 1}, device_cpu());
}

static Tensor *weights(void)
{
    return tensor_new(FLOAT32, shape(3), (float[]){1, 3, .5f}, device_cpu());
}

/* Loss and the first six numbers of its gradient, on the CPU and on a GPU. */
static void check(CrossEntropyOptions options, double loss, const double *grad)
{
    for (int on_gpu = 0; on_gpu < 2; on_gpu++) {
        Device place = on_gpu ? device_cuda(0) : device_cpu();
        Module *criterion = cross_entropy_loss_new(options);
        Tensor *x = input();
        assert_ptr_equal(module_to(criterion, place), criterion);
        Tensor *got = loss_forward(criterion, tensor_to(x, place),
                                   tensor_to(target(), place));
        Tensor *total = tensor_sum(got);
        assert_fine();
        ASSERT_VALUES(total, 1e-6 * fabs(loss) + 1e-6, loss);
        assert_int_equal(tensor_backward(total), OK);
        double all[12];
        assert_int_equal(tensor_read(tensor_grad(x), all, 12), OK);
        for (int i = 0; i < 6; i++)
            assert_true(fabs(all[i] - grad[i]) < 1e-6);
    }
}

static void mean_without_weights(void **state)
{
    (void)state;
    check(cross_entropy_defaults(), 0.63133973,
          (double[]){0.04382260, 0.00977814, -0.05360074, -0.09286708,
                     0.05780597, 0.03506109});
}

static void mean_divides_by_the_weights(void **state)
{
    (void)state;
    CrossEntropyOptions options = cross_entropy_defaults();
    options.weight = weights();
    check(options, 0.80587476,
          (double[]){0.01168603, 0.00260750, -0.01429353, -0.04952911,
                     0.03082985, 0.01869925});
    options.reduction = REDUCTION_SUM;
    const double grad[] = {0.08764520,  0.01955629, -0.10720149,
                           -0.37146831, 0.23122388, 0.14024438};
    check(options, 6.04406071, grad);
    options.reduction = REDUCTION_NONE;
    check(options, 0.12065566 + 0.46436879 + 3.30582857 + 2.15320778, grad);
}

static void an_ignored_class_counts_for_nothing(void **state)
{
    (void)state;
    CrossEntropyOptions options = cross_entropy_defaults();
    options.ignore_index = 1;
    check(options, 0.35284007,
          (double[]){0.08764520, 0.01955629, -0.10720149, -0.18573415,
                     0.11561194, 0.07012219});
}

static void labels_are_smoothed(void **state)
{
    (void)state;
    CrossEntropyOptions options = cross_entropy_defaults();
    options.label_smoothing = 0.1;
    check(options, 0.71467304,
          (double[]){0.03548926, 0.00144481, -0.03693408, -0.07620041,
                     0.04947264, 0.02672776});
    options.weight = weights();
    options.ignore_index = 0;
    check(options, 0.88192886,
          (double[]){0.01105245, -0.01177423, 0.00072178, 0, 0, 0});
}

static void targets_may_be_probabilities(void **state)
{
    (void)state;
    Tensor *raw =
        tensor_new(FLOAT32, shape(4, 3),
                   (float[]){1, 2, 3, 0, 0, 1, 1, 0, 0, 2, 1, 0}, device_cpu());
    Tensor *p = tensor_softmax(raw, 1);
    CrossEntropyOptions options = cross_entropy_defaults();
    options.weight = weights();
    options.label_smoothing = 0.2;
    Module *criterion = cross_entropy_loss_new(options);
    ASSERT_VALUES(loss_forward(criterion, input(), p), 2e-6, 1.82936835);
    ASSERT_VALUES(loss_forward(mse_loss_new(), tensor_detach(input()), p), 2e-6,
                  0.96735835);
}

/* seeds 3.7 and T26: no parameters, yet a place */
static void the_weight_is_a_buffer_and_moves(void **state)
{
    (void)state;
    CrossEntropyOptions options = cross_entropy_defaults();
    options.weight =
        tensor_new(FLOAT32, shape(2), (float[]){1, 3}, device_cpu());
    Module *criterion = cross_entropy_loss_new(options);
    assert_int_equal(module_n_parameters(criterion), 0);
    assert_ptr_equal(module_cuda(criterion, 0), criterion);
    char *repr = module_buffers_repr(criterion);
    assert_string_equal(repr, "OrderedDict([('weight', tensor([1., 3.], "
                              "device='cuda:0'))])");
    mem_free(repr);
    repr =
        module_buffers_repr(cross_entropy_loss_new(cross_entropy_defaults()));
    assert_string_equal(repr, "OrderedDict([('weight', None)])");
    mem_free(repr);
    repr = module_buffers_repr(mse_loss_new());
    assert_string_equal(repr, "OrderedDict()");
    mem_free(repr);
}

/* seeds 3.8: without weights nothing is left behind, with weights it fails */
static void a_criterion_left_behind(void **state)
{
    (void)state;
    Tensor *x = tensor_cuda(input(), 0), *t = tensor_cuda(target(), 0);
    CrossEntropyOptions options = cross_entropy_defaults();
    assert_non_null(loss_forward(cross_entropy_loss_new(options), x, t));
    options.weight = weights();
    assert_null(loss_forward(cross_entropy_loss_new(options), x, t));
    assert_failure(ERR_DEVICE,
                   "Expected object of device type cuda but got device type "
                   "cpu for argument #3 'weight' in call to "
                   "_thnn_nll_loss_forward");
}

static void targets_are_checked(void **state)
{
    (void)state;
    Module *plain = cross_entropy_loss_new(cross_entropy_defaults());
    Tensor *few =
        tensor_new(INT64, shape(3), (int64_t[]){0, 1, 2}, device_cpu());
    assert_null(loss_forward(plain, input(), few));
    assert_failure(
        ERR_VALUE,
        "Expected input batch_size (4) to match target batch_size (3).");
    Tensor *far =
        tensor_new(INT64, shape(4), (int64_t[]){0, 1, 3, 0}, device_cpu());
    assert_null(loss_forward(plain, input(), far));
    assert_failure(ERR_INDEX, "Target 3 is out of bounds.");
    Tensor *real = tensor_zeros(FLOAT32, shape(4), device_cpu());
    assert_null(loss_forward(plain, input(), real));
    assert_failure(ERR_RUNTIME, "expected scalar type Long but found Float");
    CrossEntropyOptions options = cross_entropy_defaults();
    options.weight = tensor_ones(FLOAT32, shape(2), device_cpu());
    assert_null(
        loss_forward(cross_entropy_loss_new(options), input(), target()));
    assert_failure(ERR_RUNTIME,
                   "weight tensor should be defined either for all 3 classes "
                   "or no classes but got weight tensor of shape: [2]");
}

/* Where the shapes are equal, the targets are meant as probabilities. */
static void probabilities_are_checked(void **state)
{
    (void)state;
    CrossEntropyOptions options = cross_entropy_defaults();
    Tensor *whole = tensor_zeros(INT64, shape(4, 3), device_cpu());
    assert_null(loss_forward(cross_entropy_loss_new(options), input(), whole));
    assert_failure(ERR_RUNTIME, "Expected floating point type for target with "
                                "class probabilities, got Long");
    Tensor *p = tensor_ones(FLOAT32, shape(4, 3), device_cpu());
    options.weight = tensor_ones(FLOAT32, shape(1), device_cpu());
    assert_null(loss_forward(cross_entropy_loss_new(options), input(), p));
    assert_failure(ERR_RUNTIME,
                   "cross_entropy: weight tensor should be defined either for "
                   "all 3 classes or no classes but got weight tensor of "
                   "shape: [1]");
    options.weight = NULL;
    options.ignore_index = 1;
    assert_null(loss_forward(cross_entropy_loss_new(options), input(), p));
    assert_failure(ERR_RUNTIME, "ignore_index is not supported for floating "
                                "point target");
}

/* No sample: the mean is 0 / 0, the sum is nothing. One sample without a batch
 * is the batch of one. */
static void empty_and_single(void **state)
{
    (void)state;
    Module *mean = cross_entropy_loss_new(cross_entropy_defaults());
    Tensor *none = tensor_zeros(FLOAT32, shape(0, 3), device_cpu());
    Tensor *classes = tensor_zeros(INT64, shape(0), device_cpu());
    assert_true(isnan(tensor_item(loss_forward(mean, none, classes))));
    CrossEntropyOptions options = cross_entropy_defaults();
    options.reduction = REDUCTION_SUM;
    ASSERT_VALUES(loss_forward(cross_entropy_loss_new(options), none, classes),
                  0, 0);
    Tensor *x = tensor_new(FLOAT32, shape(3), INPUT, device_cpu());
    tensor_set_requires_grad(x, true);
    Tensor *t = tensor_full(INT64, shape_scalar(), 2, device_cpu());
    Tensor *loss = loss_forward(mean, x, t);
    ASSERT_VALUES(loss, 1e-6, 0.24131131);
    assert_int_equal(tensor_backward(loss), OK);
    ASSERT_VALUES(tensor_grad(x), 1e-6, 0.17529038, 0.03911258, -0.21440297);
}

static void smoothing_has_bounds(void **state)
{
    (void)state;
    CrossEntropyOptions options = cross_entropy_defaults();
    options.label_smoothing = 1.5;
    Module *criterion = cross_entropy_loss_new(options);
    assert_null(loss_forward(criterion, input(), target()));
    assert_failure(ERR_RUNTIME,
                   "label_smoothing must be between 0.0 and 1.0. Got: 1.5");
}

static void all_ignored_is_not_a_number(void **state)
{
    (void)state;
    CrossEntropyOptions options = cross_entropy_defaults();
    options.ignore_index = 1;
    Tensor *t =
        tensor_new(INT64, shape(4), (int64_t[]){1, 1, 1, 1}, device_cpu());
    Tensor *loss = loss_forward(cross_entropy_loss_new(options), input(), t);
    assert_true(isnan(tensor_item(loss)));
}

static void other_modules_are_no_losses(void **state)
{
    (void)state;
    assert_null(module_forward(mse_loss_new(), input()));
    assert_failure(ERR_RUNTIME,
                   "MSELoss has no forward of one input; a loss is called with "
                   "loss_forward(criterion, input, target)");
}

static void places_and_shapes_are_named(void **state)
{
    (void)state;
    Module *plain = cross_entropy_loss_new(cross_entropy_defaults());
    assert_null(
        loss_forward(plain, tensor_cuda(input(), 1), tensor_cuda(target(), 0)));
    assert_failure(ERR_DEVICE,
                   "expected device cuda:1 but got device cuda:0 for argument "
                   "#2 'target' in call to _thnn_nll_loss_forward");
    Tensor *wide = tensor_zeros(INT64, shape(4, 1), device_cpu());
    assert_null(loss_forward(plain, input(), wide));
    assert_failure(ERR_RUNTIME, "0D or 1D target tensor expected, multi-target "
                                "not supported");
    Tensor *below =
        tensor_new(INT64, shape(4), (int64_t[]){0, 1, -1, 0}, device_cpu());
    assert_null(loss_forward(plain, input(), below));
    assert_failure(ERR_INDEX, "Target -1 is out of bounds.");
}

static void one_row_and_both_sides(void **state)
{
    (void)state;
    CrossEntropyOptions options = cross_entropy_defaults();
    Tensor *row = tensor_zeros(FLOAT64, shape(4), device_cpu());
    Tensor *p = tensor_ones(FLOAT64, shape(4), device_cpu());
    ASSERT_VALUES(loss_forward(cross_entropy_loss_new(options), row, p), 1e-9,
                  4 * log(4));
    options.reduction = REDUCTION_NONE;
    Tensor *t = tensor_zeros(INT64, shape_scalar(), device_cpu());
    Tensor *loss = loss_forward(cross_entropy_loss_new(options), row, t);
    assert_int_equal(tensor_dim(loss), 0);
    tensor_set_requires_grad(row, true);
    tensor_set_requires_grad(p, true);
    assert_int_equal(tensor_backward(loss_forward(mse_loss_new(), row, p)), OK);
    ASSERT_VALUES(tensor_grad(row), 1e-12, -.5, -.5, -.5, -.5);
    ASSERT_VALUES(tensor_grad(p), 1e-12, .5, .5, .5, .5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCOPE(mean_without_weights),
        IN_SCOPE(mean_divides_by_the_weights),
        IN_SCOPE(an_ignored_class_counts_for_nothing),
        IN_SCOPE(labels_are_smoothed),
        IN_SCOPE(targets_may_be_probabilities),
        IN_SCOPE(the_weight_is_a_buffer_and_moves),
        IN_SCOPE(a_criterion_left_behind),
        IN_SCOPE(targets_are_checked),
        IN_SCOPE(probabilities_are_checked),
        IN_SCOPE(empty_and_single),
        IN_SCOPE(smoothing_has_bounds),
        IN_SCOPE(all_ignored_is_not_a_number),
        IN_SCOPE(other_modules_are_no_losses),
        IN_SCOPE(places_and_shapes_are_named),
        IN_SCOPE(one_row_and_both_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

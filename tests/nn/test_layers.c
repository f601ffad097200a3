/* Layers: the same numbers as PyTorch's. Expected values were printed by
 * PyTorch 1.13.1 on a CPU for the same seeds and inputs. */
#include "nn/layers.h" // defines: linear_new, batch_norm_1d_new
#include "values.h"    // defines: ASSERT_VALUES, IN_SCOPE

static Device cpu;

static Tensor *floats(Shape s, const float *data)
{
    return tensor_new(FLOAT32, s, data, cpu);
}

/* Bits, not decimals: seed 0, Linear(3, 1). */
static void linear_begins_with_pytorchs_bits(void **state)
{
    (void)state;
    manual_seed(0);
    Module *net = linear_new(3, 1);
    const uint32_t weight[] = {0xbb8da3e8, 0x3e9e9313, 0xbef34b7e};
    const uint32_t bias[] = {0xbed98bc9};
    assert_memory_equal(tensor_data(module_parameter(net, "weight")), weight,
                        sizeof weight);
    assert_memory_equal(tensor_data(module_parameter(net, "bias")), bias,
                        sizeof bias);
    Tensor *y = module_forward(net, tensor_rand(FLOAT32, shape(2, 3), cpu));
    char *repr = tensor_repr(y);
    assert_string_equal(repr, "tensor([[-0.4627],\n"
                              "        [-0.5881]], grad_fn=<AddmmBackward>)");
    mem_free(repr);
    assert_int_equal(tensor_backward(tensor_sum(y)), OK);
    ASSERT_VALUES(tensor_grad(module_parameter(net, "weight")), 1e-6,
                  1.20386755, 1.08970666, 1.12239969);
    ASSERT_VALUES(tensor_grad(module_parameter(net, "bias")), 0, 2);
}

/* seeds 2.12: two instances share nothing; the same seed gives equal values */
static void instances_share_no_parameters(void **state)
{
    (void)state;
    manual_seed(5);
    Tensor *one = module_parameter(linear_new(3, 1), "weight");
    manual_seed(5);
    Tensor *two = module_parameter(linear_new(3, 1), "weight");
    assert_true(tensor_equal(one, two));
    assert_false(tensor_shares_storage(one, two));
}

static void linear_without_bias_registers_none(void **state)
{
    (void)state;
    Module *net = linear_new_without_bias(3, 3);
    assert_int_equal(module_n_parameters(net), 1);
    assert_null(module_parameter(net, "bias"));
    Tensor *y =
        module_forward(net, tensor_ones(FLOAT32, shape(2, 3), device_cpu()));
    assert_string_equal(tensor_grad_fn(y), "MmBackward");
}

static void linear_names_the_shapes_that_do_not_fit(void **state)
{
    (void)state;
    Tensor *x = tensor_ones(FLOAT32, shape(2, 4), cpu);
    assert_null(module_forward(linear_new(3, 1), x));
    assert_failure(ERR_RUNTIME,
                   "mat1 and mat2 shapes cannot be multiplied (2x4 and 3x1)");
}

static void batch_norm_normalises_and_follows(void **state)
{
    (void)state;
    Module *norm = batch_norm_1d_new(3);
    Tensor *x =
        floats(shape(4, 3), (float[]){1, 2, 3, 4, 6, 8, 0, -2, 5, 2, 2, 2});
    ASSERT_VALUES(module_forward(norm, x), 2e-6, -0.50709140, 0, -0.65465307,
                  1.52127409, 1.41421270, 1.52752376, -1.18321323, -1.41421270,
                  0.21821764, 0.16903043, 0, -1.09108853);
    ASSERT_VALUES(module_buffer(norm, "running_mean"), 1e-6, 0.175, 0.2, 0.45);
    ASSERT_VALUES(module_buffer(norm, "running_var"), 1e-6, 1.1916666,
                  1.9666667, 1.6);
    ASSERT_VALUES(module_buffer(norm, "num_batches_tracked"), 0, 1);
    module_train(norm, false);
    ASSERT_VALUES(module_forward(norm, x), 4e-6, 0.75574410, 1.28353,
                  2.01594591, 3.50390434, 4.13581896, 5.96878052, -0.16030934,
                  -1.56875896, 3.59707975, 1.67179751, 1.28353, 1.22537875);
    ASSERT_VALUES(module_buffer(norm, "num_batches_tracked"), 0, 1);
}

static void batch_norm_takes_channels_with_length(void **state)
{
    (void)state;
    Tensor *x =
        floats(shape(2, 2, 3), (float[]){1, 2, 3, 4, 6, 8, 0, -2, 5, 2, 2, 2});
    ASSERT_VALUES(module_forward(batch_norm_1d_new(2), x), 2e-6, -0.22549361,
                  0.22549355, 0.67648071, 0, 0.86602455, 1.73204911,
                  -0.67648077, -1.57845509, 1.57845497, -0.86602455,
                  -0.86602455, -0.86602455);
}

static void batch_norm_refuses_in_pytorchs_words(void **state)
{
    (void)state;
    Module *norm = batch_norm_1d_new(4);
    assert_null(module_forward(norm, tensor_ones(FLOAT32, shape(4), cpu)));
    assert_failure(ERR_VALUE, "expected 2D or 3D input (got 1D input)");
    assert_null(module_forward(norm, tensor_ones(FLOAT32, shape(1, 4), cpu)));
    assert_failure(ERR_VALUE,
                   "Expected more than 1 value per channel when training, got "
                   "input size torch.Size([1, 4])");
    assert_null(module_forward(norm, tensor_ones(FLOAT32, shape(2, 3), cpu)));
    assert_failure(ERR_RUNTIME, "running_mean should contain 3 elements not 4");
}

static void dropout_draws_pytorchs_mask(void **state)
{
    (void)state;
    Module *drop = dropout_new(0.5);
    Tensor *ones = tensor_ones(FLOAT32, shape(12), cpu);
    manual_seed(3);
    ASSERT_VALUES(module_forward(drop, ones), 0, 2, 2, 0, 2, 0, 0, 2, 2, 2, 0,
                  2, 0);
    module_train(drop, false);
    assert_ptr_equal(module_forward(drop, ones), ones);
    assert_null(dropout_new(1.5));
    assert_failure(
        ERR_VALUE,
        "dropout probability has to be between 0 and 1, but got 1.5");
}

static void dropout_of_everything_is_zero(void **state)
{
    (void)state;
    Tensor *ones = tensor_ones(FLOAT32, shape(4), cpu);
    ASSERT_VALUES(module_forward(dropout_new(1), ones), 0, 0, 0, 0, 0);
}

static void activations_and_flatten(void **state)
{
    (void)state;
    Tensor *x = floats(shape(1, 2, 2), (float[]){-1, 0, 1, 2});
    ASSERT_VALUES(module_forward(relu_new(), x), 0, 0, 0, 1, 2);
    ASSERT_VALUES(module_forward(tanh_new(), x), 1e-6, -0.76159416, 0,
                  0.76159416, 0.96402758);
    ASSERT_VALUES(module_forward(sigmoid_new(), x), 1e-6, 0.26894143, 0.5,
                  0.73105858, 0.88079708);
    Tensor *flat = module_forward(flatten_new(), x);
    assert_string_equal(shape_str(tensor_shape(flat)).text,
                        "torch.Size([1, 4])");
}

static void sequential_passes_failures_through(void **state)
{
    (void)state;
    Module *net = SEQUENTIAL(linear_new(3, 4), linear_new(3, 1));
    assert_null(module_forward(net, tensor_ones(FLOAT32, shape(2, 3), cpu)));
    assert_failure(ERR_RUNTIME,
                   "mat1 and mat2 shapes cannot be multiplied (2x4 and 3x1)");
}

static void the_edges_of_layers(void **state)
{
    (void)state;
    Tensor *x = tensor_ones(FLOAT32, shape(1, 2, 4), cpu); // 4 a channel
    assert_non_null(module_forward(batch_norm_1d_new(2), x));
    assert_ptr_equal(module_forward(dropout_new(0), x), x);
    Tensor *no_rows = tensor_zeros(FLOAT32, shape(0, 3, 4), cpu);
    Tensor *flat = module_forward(flatten_new(), no_rows);
    assert_string_equal(shape_str(tensor_shape(flat)).text,
                        "torch.Size([0, 12])");
    assert_null(
        module_forward(flatten_new(), tensor_ones(FLOAT32, shape(3), cpu)));
    assert_failure(ERR_INDEX, "Dimension out of range (expected to be in range "
                              "of [-1, 0], but got 1)");
    Module *norm = batch_norm_1d_new(4);
    Tensor *none = module_forward(norm, no_rows);
    assert_null(none); // three channels, not four
    assert_failure(ERR_RUNTIME, "running_mean should contain 3 elements not 4");
    none = module_forward(norm, tensor_zeros(FLOAT32, shape(0, 4), cpu));
    assert_string_equal(shape_str(tensor_shape(none)).text,
                        "torch.Size([0, 4])");
    ASSERT_VALUES(module_buffer(norm, "running_mean"), 0, 0, 0, 0, 0);
    ASSERT_VALUES(module_buffer(norm, "num_batches_tracked"), 0, 1);
    assert_non_null(module_forward(batch_norm_1d_new(0),
                                   tensor_zeros(FLOAT32, shape(2, 0), cpu)));
    Module *nothing_in = linear_new(0, 2);
    assert_fine();
    ASSERT_VALUES(module_parameter(nothing_in, "bias"), 0, 0, 0);
}

int main(void)
{
    cpu = device_cpu();
    const struct CMUnitTest tests[] = {
        IN_SCOPE(linear_begins_with_pytorchs_bits),
        IN_SCOPE(instances_share_no_parameters),
        IN_SCOPE(linear_without_bias_registers_none),
        IN_SCOPE(linear_names_the_shapes_that_do_not_fit),
        IN_SCOPE(batch_norm_normalises_and_follows),
        IN_SCOPE(batch_norm_takes_channels_with_length),
        IN_SCOPE(batch_norm_refuses_in_pytorchs_words),
        IN_SCOPE(dropout_draws_pytorchs_mask),
        IN_SCOPE(dropout_of_everything_is_zero),
        IN_SCOPE(activations_and_flatten),
        IN_SCOPE(sequential_passes_failures_through),
        IN_SCOPE(the_edges_of_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

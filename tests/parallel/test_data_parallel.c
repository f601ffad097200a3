/* DataParallel as a whole.
 *
 * Counterparts of PyTorch's test_data_parallel.py that make sense in C:
 *   buffers_requiring_grad, parallel_apply_passes_exception,
 *   data_parallel_multiple_input, small_back, model_device, no_grad,
 *   data_parallel, nested_output, nested_input, module_zero_inputs,
 *   device_args, data_parallel_module (float, double, half),
 *   data_parallel_module_kwargs_only and its empty list, dict and tuple.
 * Without a counterpart: rnn, sparse, lazy_linear, complex, strided_grad_layout
 * (no such layers or dtypes here); autocast, parallel_apply_autocast (no
 * autocast); model_no_refcycles (counted, not collected: see
 * nothing_is_left_alive); function_deletion (no double backward);
 * save_replica_module (pickling); parameter_list_dict_replica (no such
 * containers). */
#include "../nn/values.h"           // defines: ASSERT_VALUES, IN_SCOPE
#include "nn/layers.h"              // defines: linear_new
#include "nn/loss.h"                // defines: cross_entropy_loss_new
#include "nn/optim.h"               // defines: sgd_new
#include "parallel/data_parallel.h" // defines: data_parallel_new

#define ON(...)                                                                \
    ((DataParallelOptions){.device_ids = (const int[]){__VA_ARGS__},           \
                           .n_device_ids =                                     \
                               sizeof((int[]){__VA_ARGS__}) / sizeof(int)})

static Tensor *batch(int64_t rows, DType dtype)
{
    manual_seed(11);
    return tensor_cast(tensor_rand(FLOAT64, shape(rows, 3), device_cpu()),
                       dtype);
}

/* Output and gradients equal the plain module's, wherever the input is. */
static void check_equal(DType dtype, const int *ids, Device source, double tol)
{
    manual_seed(2);
    Module *plain = module_cast(linear_new(3, 2), dtype);
    manual_seed(2);
    Module *twin = module_cast(linear_new(3, 2), dtype);
    module_cuda(plain, ids[0]);
    module_cuda(twin, ids[0]);
    DataParallelOptions options = {.device_ids = ids, .n_device_ids = 2};
    Module *both = data_parallel_new(twin, options);
    Tensor *x = batch(10, dtype);
    Tensor *expected = module_forward(plain, tensor_cuda(x, ids[0]));
    Tensor *got = module_forward(both, tensor_to(x, source));
    assert_fine();
    assert_int_equal(tensor_device(got).index, ids[0]);
    assert_true(tensor_allclose(expected, got, tol, tol));
    assert_int_equal(tensor_backward(tensor_sum(expected)), OK);
    assert_int_equal(tensor_backward(tensor_sum(got)), OK);
    assert_true(tensor_allclose(tensor_grad(module_parameter(plain, "weight")),
                                tensor_grad(module_parameter(twin, "weight")),
                                tol, tol));
}

static void it_computes_what_the_module_computes(void **state)
{
    (void)state;
    const int forward[] = {0, 1}, backward[] = {1, 0};
    check_equal(FLOAT32, forward, device_cuda(0), 1e-5);
    check_equal(FLOAT32, backward, device_cuda(1), 1e-5);
    check_equal(FLOAT32, forward, device_cpu(), 1e-5);
    check_equal(FLOAT64, forward, device_cuda(1), 1e-12);
    check_equal(FLOAT16, forward, device_cuda(0), 2e-2);
}

/* seeds 4.8 */
static void every_option_has_pytorchs_default(void **state)
{
    (void)state;
    Module *all = data_parallel_new(module_cuda(linear_new(3, 1), 0),
                                    (DataParallelOptions){0});
    Tensor *y = module_forward(all, batch(16, FLOAT32));
    assert_int_equal(tensor_device(y).index, 0);
    assert_int_equal(tensor_size(y, 0), 16);
    char *repr = module_repr(all);
    assert_string_equal(
        repr, "DataParallel(\n"
              "  (module): Linear(in_features=3, out_features=1, bias=True)\n"
              ")");
    mem_free(repr);
    DataParallelOptions options = ON(0, 1);
    options.has_output_device = true;
    options.output_device = device_cuda(3);
    y = module_forward(
        data_parallel_new(module_cuda(linear_new(3, 1), 0), options),
        batch(4, FLOAT32));
    assert_int_equal(tensor_device(y).index, 3);
    options.output_device = device_cpu();
    y = module_forward(
        data_parallel_new(module_cuda(linear_new(3, 1), 0), options),
        batch(4, FLOAT32));
    assert_false(tensor_is_cuda(y));
}

/* seeds 4.10, T9, T10: checked before any scatter, the first offender named */
static void the_module_must_be_on_the_main_gpu(void **state)
{
    (void)state;
    Module *net = module_cuda(linear_new(3, 1), 2);
    assert_null(
        module_forward(data_parallel_new(net, ON(1, 2)), batch(4, FLOAT32)));
    assert_failure(ERR_RUNTIME,
                   "module must have its parameters and buffers on device "
                   "cuda:1 (device_ids[0]) but found one of them on device: "
                   "cuda:2");
    assert_null(module_forward(data_parallel_new(linear_new(3, 1), ON(0, 1)),
                               batch(4, FLOAT32)));
    assert_failure(ERR_RUNTIME,
                   "module must have its parameters and buffers on device "
                   "cuda:0 (device_ids[0]) but found one of them on device: "
                   "cpu");
    Module *norm = module_cuda(batch_norm_1d_new(3), 0);
    module_set_buffer(norm, "running_var",
                      tensor_ones(FLOAT32, shape(3), device_cuda(1)));
    assert_null(
        module_forward(data_parallel_new(norm, ON(0, 1)), batch(4, FLOAT32)));
    assert_failure(ERR_RUNTIME,
                   "module must have its parameters and buffers on device "
                   "cuda:0 (device_ids[0]) but found one of them on device: "
                   "cuda:1");
}

/* The only case in which the module is moved. */
static void one_id_moves_the_module_there(void **state)
{
    (void)state;
    Module *net = linear_new(3, 1);
    Module *one = data_parallel_new(net, ON(5));
    assert_int_equal(tensor_device(module_parameter(net, "weight")).index, 5);
    Tensor *y = module_forward(one, batch(2, FLOAT32));
    assert_int_equal(tensor_device(y).index, 5);
    assert_int_equal(module_n_parameters(one), 2);
    assert_non_null(module_parameter(one, "module.weight"));
}

static void fewer_samples_than_gpus(void **state)
{
    (void)state;
    Module *all = data_parallel_new(module_cuda(linear_new(3, 1), 0),
                                    (DataParallelOptions){0});
    for (int64_t rows = 1; rows <= 9; rows++)
        assert_int_equal(
            tensor_size(module_forward(all, batch(rows, FLOAT32)), 0), rows);
}

static void bad_ids_are_named(void **state)
{
    (void)state;
    Module *net = module_cuda(linear_new(3, 1), 0);
    assert_null(data_parallel_new(net, ON(0, 99)));
    assert_failure(ERR_ASSERTION, "Invalid device id");
    DataParallelOptions none = {.device_ids = (const int[]){0}};
    assert_null(data_parallel_new(net, none));
    assert_failure(ERR_INDEX, "list index out of range");
}

static Tensor *fail_on_gpu_1(Module *self, Tensor *input)
{
    (void)self;
    if (tensor_device(input).index != 1)
        return input;
    status_fail(ERR_KEY, "wonderful");
    return NULL;
}

static void a_replicas_failure_has_its_number(void **state)
{
    (void)state;
    static const ModuleType BAD = {.name = "Bad", .forward = fail_on_gpu_1};
    Module *net = data_parallel_new(module_new(&BAD), ON(0, 1));
    assert_null(module_forward(net, batch(4, FLOAT32)));
    assert_failure(ERR_KEY, "Caught KeyError in replica 1 on device 1.\n"
                            "KeyError: wonderful");
    assert_int_equal(cuda_current_device(), 0);
}

static Tensor *grad_mode(Module *self, Tensor *input)
{
    (void)self;
    assert_false(grad_enabled());
    return input;
}

static void grad_mode_reaches_the_replicas(void **state)
{
    (void)state;
    static const ModuleType CHECK = {.name = "Check", .forward = grad_mode};
    Module *net = data_parallel_new(module_new(&CHECK), ON(0, 1));
    bool before = no_grad_enter();
    assert_non_null(module_forward(net, batch(4, FLOAT32)));
    no_grad_leave(before);
}

static Tree *two_in_two_out(Module *self, Tree *inputs)
{
    (void)self;
    Tensor *a = tree_as_tensor(tree_at(inputs, 0));
    Tensor *b = tree_as_tensor(tree_at(inputs, 1));
    double factor = tree_as_number(tree_at(inputs, 2));
    Tree *out[] = {tree_tensor(tensor_add(a, b)),
                   tree_tensor(tensor_mul_real(a, factor))};
    return tree_dict((const char *[]){"sum", "scaled"}, out, 2);
}

static void several_inputs_and_outputs(void **state)
{
    (void)state;
    static const ModuleType TWO = {.name = "Two",
                                   .forward_tree = two_in_two_out};
    Module *net = data_parallel_new(module_new(&TWO), ON(0, 1));
    Tree *in[] = {tree_tensor(batch(5, FLOAT32)),
                  tree_tensor(batch(5, FLOAT32)), tree_number(3)};
    Tree *out = module_forward_tree(net, tree_list(in, 3));
    assert_fine();
    Tensor *sum = tree_as_tensor(tree_get(out, "sum"));
    assert_int_equal(tensor_size(sum, 0), 5);
    assert_true(
        tensor_equal(tensor_cpu(sum), tensor_mul_real(batch(5, FLOAT32), 2)));
}

static Tree *no_inputs(Module *self, Tree *inputs)
{
    (void)self;
    assert_int_equal(tree_size(inputs), 0);
    return tree_tensor(tensor_ones(FLOAT32, shape(2), device_cuda(-1)));
}

static void no_inputs_is_one_call(void **state)
{
    (void)state;
    static const ModuleType NONE = {.name = "None", .forward_tree = no_inputs};
    Module *net = data_parallel_new(module_new(&NONE), ON(0, 1));
    Tree *out = module_forward_tree(net, tree_list(NULL, 0));
    ASSERT_VALUES(tree_as_tensor(out), 0, 1, 1);
    out = module_forward_tree(net, tree_dict(NULL, NULL, 0));
    ASSERT_VALUES(tree_as_tensor(out), 0, 1, 1);
}

/* A training step on eight GPUs gives the parameters of a step on one. */
static void a_step_on_eight_is_a_step_on_one(void **state)
{
    (void)state;
    Tensor *result[2];
    for (int parallel = 0; parallel < 2; parallel++) {
        manual_seed(4);
        Module *net = SEQUENTIAL(
            linear_new_on(3, 8, true, FLOAT64, device_cpu()), tanh_new(),
            linear_new_on(8, 2, true, FLOAT64, device_cpu()));
        module_cuda(net, 0);
        Module *run =
            parallel ? data_parallel_new(net, (DataParallelOptions){0}) : net;
        Optimizer *optimizer = sgd_new(run, (SgdOptions){.lr = 0.5});
        Module *criterion = mse_loss_new();
        Tensor *x = tensor_cuda(batch(16, FLOAT64), 0);
        Tensor *t = tensor_zeros(FLOAT64, shape(16, 2), device_cuda(0));
        for (int step = 0; step < 3; step++) {
            optimizer_zero_grad(optimizer);
            Tensor *loss = loss_forward(criterion, module_forward(run, x), t);
            assert_int_equal(tensor_backward(loss), OK);
            assert_int_equal(optimizer_step(optimizer), OK);
        }
        result[parallel] = tensor_detach(module_parameter(net, "0.weight"));
    }
    assert_true(tensor_allclose(result[0], result[1], 1e-12, 1e-14));
}

static void nothing_is_left_alive(void **state)
{
    (void)state;
    Module *net = data_parallel_new(module_cuda(linear_new(3, 1), 0),
                                    (DataParallelOptions){0});
    int64_t before = 0;
    for (int i = 0; i < 5; i++) {
        assert_int_equal(scope_open(), OK);
        Tensor *y = module_forward(net, batch(16, FLOAT32));
        assert_int_equal(tensor_backward(tensor_sum(y)), OK);
        scope_close();
        if (i == 0)
            before = tensor_live_count();
    }
    assert_int_equal(tensor_live_count(), before);
}

static Tensor *where_am_i(Module *self, Tensor *input)
{
    assert_int_equal(cuda_current_device(), tensor_device(input).index);
    assert_false(module_is_training(self));
    return input;
}

static void replicas_know_their_gpu_and_mode(void **state)
{
    (void)state;
    static const ModuleType WHERE = {.name = "Where", .forward = where_am_i};
    Module *net = data_parallel_new(module_new(&WHERE), ON(0, 1, 2));
    module_train(net, false);
    assert_non_null(module_forward(net, batch(6, FLOAT32)));
    assert_int_equal(cuda_current_device(), 0);
}

/* One GPU calls the module itself: the output stays where it was made. */
static void one_gpu_gathers_nothing(void **state)
{
    (void)state;
    DataParallelOptions options = ON(0);
    options.has_output_device = true;
    options.output_device = device_cuda(3);
    Module *one = data_parallel_new(linear_new(3, 1), options);
    assert_int_equal(
        tensor_device(module_forward(one, batch(2, FLOAT32))).index, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCOPE(it_computes_what_the_module_computes),
        IN_SCOPE(every_option_has_pytorchs_default),
        IN_SCOPE(the_module_must_be_on_the_main_gpu),
        IN_SCOPE(one_id_moves_the_module_there),
        IN_SCOPE(fewer_samples_than_gpus),
        IN_SCOPE(bad_ids_are_named),
        IN_SCOPE(a_replicas_failure_has_its_number),
        IN_SCOPE(grad_mode_reaches_the_replicas),
        IN_SCOPE(several_inputs_and_outputs),
        IN_SCOPE(no_inputs_is_one_call),
        IN_SCOPE(a_step_on_eight_is_a_step_on_one),
        IN_SCOPE(nothing_is_left_alive),
        IN_SCOPE(replicas_know_their_gpu_and_mode),
        IN_SCOPE(one_gpu_gathers_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

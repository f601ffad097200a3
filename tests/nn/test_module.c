/* Modules: names, order, moving in place, printing. */
#include "device/ledger.h" // defines: ledger_now
#include "nn/layers.h"     // defines: linear_new
#include "nn/loss.h"       // defines: cross_entropy_loss_new
#include "nn/state_dict.h" // defines: module_each_state
#include "values.h"        // defines: assert_failure, IN_SCOPE
#include <signal.h>
#include <sys/resource.h> // defines: setrlimit
#include <sys/wait.h>
#include <unistd.h>

static Tensor *numbers(int64_t n)
{
    return tensor_ones(FLOAT32, shape(n), device_cpu());
}

static Tensor *pass(Module *self, Tensor *input)
{
    (void)self;
    return input;
}

static const ModuleType PLAIN = {.name = "Plain", .forward = pass};

typedef struct Names {
    char text[512];
} Names;

static bool collect(void *context, const char *name, Tensor *x)
{
    (void)x;
    Names *names = context;
    strcat(strcat(names->text, names->text[0] ? " " : ""), name);
    return true;
}

/* NULL handed on after a failure passes through every question, too. */
static void a_module_that_failed_answers_nothing(void **state)
{
    (void)state;
    Module *net = linear_new_on(3, 1, true, FLOAT32, device_cuda(64));
    Names names = {""};
    assert_null(net);
    assert_null(module_parameter(net, "0.weight"));
    assert_null(module_buffer(net, "x"));
    assert_null(module_child(net, "0"));
    assert_null(module_child_at(net, 0));
    assert_null(module_retain(net));
    assert_null(module_type(net));
    assert_null(module_state(net));
    assert_int_equal(module_set_buffer(net, "x", NULL), ERR_CUDA);
    assert_int_equal(module_n_children(net) + module_n_parameters(net) +
                         module_n_buffers(net),
                     0);
    assert_int_equal(module_nbytes(net), 0);
    assert_false(module_is_training(net) || module_is_replica(net));
    module_each_parameter(net, collect, &names);
    module_each_state(net, collect, &names);
    assert_string_equal(names.text, "");
    assert_null(tensor_sum(module_parameter(net, "weight")));
    assert_int_equal(status_take(), ERR_CUDA);
}

/* Root registers child b, buffer buf, parameter w, child a, in that order. */
static Module *example(void)
{
    Module *root = module_new(&PLAIN);
    module_add_child(root, "b", linear_new(2, 2));
    module_add_buffer(root, "buf", numbers(3));
    module_add_parameter(root, "w", numbers(4));
    module_add_child(root, "a", linear_new(2, 1));
    return root;
}

static void parameters_come_in_pytorchs_order(void **state)
{
    (void)state;
    Names names = {""};
    module_each_parameter(example(), collect, &names);
    assert_string_equal(names.text, "w b.weight b.bias a.weight a.bias");
}

static void shared_parameters_are_met_once(void **state)
{
    (void)state;
    Module *shared = linear_new(2, 2);
    Module *net = SEQUENTIAL(shared, relu_new(), shared);
    assert_int_equal(module_n_parameters(net), 2);
    assert_int_equal(module_nbytes(net), (4 + 2) * 4);
}

static void a_name_is_registered_once(void **state)
{
    (void)state;
    Module *root = example();
    assert_int_equal(module_add_buffer(root, "w", numbers(1)), ERR_KEY);
    assert_failure(ERR_KEY, "attribute 'w' already exists");
    assert_int_equal(module_add_parameter(root, "", numbers(1)), ERR_KEY);
    assert_failure(ERR_KEY, "parameter name can't be empty string \"\"");
    module_add_child(root, "x.y", relu_new());
    assert_failure(ERR_KEY, "module name can't contain \".\", got: x.y");
}

static void a_module_cannot_contain_itself(void **state)
{
    (void)state;
    Module *outer = module_new(&PLAIN), *inner = module_new(&PLAIN);
    assert_int_equal(module_add_child(outer, "inner", inner), OK);
    module_add_child(inner, "outer", outer);
    assert_failure(ERR_VALUE, "a module cannot contain itself: 'outer'");
}

static void dots_reach_into_children(void **state)
{
    (void)state;
    Module *root = example();
    Module *b = module_child(root, "b");
    assert_ptr_equal(module_parameter(root, "b.weight"),
                     module_parameter(b, "weight"));
    assert_null(module_parameter(root, "b.nothing"));
    assert_null(module_parameter(root, "nothing.weight"));
    assert_null(module_buffer(root, "w"));
    assert_fine();
}

/* seeds 0.12, 0.13, 3.3, 4.2: in place, the same module, the same parameter */
static void moving_keeps_parameters_and_replaces_buffers(void **state)
{
    (void)state;
    Module *root = example();
    Tensor *w = module_parameter(root, "w");
    Tensor *buffer = tensor_keep(module_buffer(root, "buf"));
    assert_ptr_equal(module_cuda(root, 7), root);
    assert_ptr_equal(module_parameter(root, "w"), w);
    assert_string_equal(device_repr(tensor_device(w)).text,
                        "device(type='cuda', index=7)");
    assert_ptr_not_equal(module_buffer(root, "buf"), buffer);
    assert_int_equal(tensor_device(module_buffer(root, "buf")).index, 7);
    assert_false(tensor_is_cuda(buffer));
    assert_true(tensor_is_leaf(w));
    assert_true(tensor_requires_grad(w));
}

/* seeds 2.14, 3.16: the same bits; one copy a tensor, the sum of the bytes */
static void moving_a_module_is_moving_its_tensors(void **state)
{
    (void)state;
    manual_seed(0);
    Module *net = linear_new(3, 1);
    char *before = tensor_repr(tensor_detach(module_parameter(net, "weight")));
    Ledger mark = ledger_now();
    module_cuda(net, 0);
    Ledger moved = ledger_since(&mark);
    assert_int_equal(moved.host_to_device.n_copies, 2);
    assert_int_equal(moved.host_to_device.n_bytes, module_nbytes(net));
    module_cuda(net, 0);
    moved = ledger_since(&mark);
    assert_int_equal(moved.host_to_device.n_copies, 2);
    module_cpu(net);
    char *after = tensor_repr(tensor_detach(module_parameter(net, "weight")));
    assert_string_equal(before, after);
    mem_free(before);
    mem_free(after);
}

/* A buffer that two modules share is shared no longer after a real move;
 * parameters stay shared. */
static void moving_parts_shared_buffers_only(void **state)
{
    (void)state;
    Module *one = module_new(&PLAIN), *two = module_new(&PLAIN);
    Tensor *p = numbers(2), *b = numbers(2);
    module_add_parameter(one, "p", p);
    module_add_parameter(two, "p", p);
    module_add_buffer(one, "b", b);
    module_add_buffer(two, "b", b);
    Module *both = SEQUENTIAL(one, two);
    module_cuda(both, 0);
    assert_ptr_equal(module_parameter(one, "p"), module_parameter(two, "p"));
    assert_ptr_not_equal(module_buffer(one, "b"), module_buffer(two, "b"));
}

static void gradients_move_with_their_parameters(void **state)
{
    (void)state;
    Module *net = linear_new(3, 1);
    Tensor *x = tensor_ones(FLOAT32, shape(2, 3), device_cpu());
    assert_int_equal(tensor_backward(tensor_sum(module_forward(net, x))), OK);
    Tensor *grad = tensor_grad(module_parameter(net, "bias"));
    module_cuda(net, 1);
    assert_ptr_equal(tensor_grad(module_parameter(net, "bias")), grad);
    assert_int_equal(tensor_device(grad).index, 1);
    ASSERT_VALUES(grad, 0, 2);
}

static void half_is_for_floating_tensors(void **state)
{
    (void)state;
    Module *norm = batch_norm_1d_new(4);
    size_t before = module_nbytes(norm);
    assert_ptr_equal(module_half(norm), norm);
    assert_int_equal(module_nbytes(norm), (before - 8) / 2 + 8);
    assert_int_equal(tensor_dtype(module_parameter(norm, "weight")), FLOAT16);
    Tensor *tracked = module_buffer(norm, "num_batches_tracked");
    assert_int_equal(tensor_dtype(tracked), INT64);
    assert_null(module_cast(norm, INT64));
    assert_failure(ERR_TYPE,
                   "nn.Module.to only accepts floating point or complex "
                   "dtypes, but got desired dtype=torch.int64");
}

static void an_absent_gpu_is_named(void **state)
{
    (void)state;
    assert_null(module_cuda(linear_new(2, 2), 99));
    assert_int_equal(status_take(), ERR_CUDA);
    assert_non_null(strstr(status_sentence(), "invalid device ordinal"));
}

/* Runs in a child, whose stderr we read. */
static void a_null_that_is_handed_on_names_what_was_absent(void **state)
{
    (void)state;
    int ends[2];
    char words[512] = "";
    assert_int_equal(pipe(ends), 0);
    Module *net = SEQUENTIAL(relu_new(), linear_new(2, 2));
    Tensor *absent = module_parameter(net, "1.mean.x");
    if (fork() == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], 2);
        tensor_relu(absent);
        _exit(0);
    }
    close(ends[1]);
    assert_true(read(ends[0], words, sizeof words - 1) > 0);
    close(ends[0]);
    int status = 0;
    wait(&status);
    assert_true(WIFSIGNALED(status));
    assert_non_null(strstr(words, "tensor_relu(): 'x' is NULL"));
    assert_non_null(strstr(words, "module_parameter() had found nothing: "
                                  "'Linear' object has no attribute 'mean'"));
}

static void modules_print_as_pytorch_prints_them(void **state)
{
    (void)state;
    Module *inner = SEQUENTIAL(relu_new(), dropout_new(0.25));
    CrossEntropyOptions plain = cross_entropy_defaults();
    Module *net =
        SEQUENTIAL(linear_new(3, 4), inner, batch_norm_1d_new(4), flatten_new(),
                   cross_entropy_loss_new(plain), tanh_new(), sigmoid_new(),
                   linear_new_without_bias(4, 2));
    char *repr = module_repr(net);
    assert_string_equal(
        repr, "Sequential(\n"
              "  (0): Linear(in_features=3, out_features=4, bias=True)\n"
              "  (1): Sequential(\n"
              "    (0): ReLU()\n"
              "    (1): Dropout(p=0.25, inplace=False)\n"
              "  )\n"
              "  (2): BatchNorm1d(4, eps=1e-05, momentum=0.1, affine=True, "
              "track_running_stats=True)\n"
              "  (3): Flatten(start_dim=1, end_dim=-1)\n"
              "  (4): CrossEntropyLoss()\n"
              "  (5): Tanh()\n"
              "  (6): Sigmoid()\n"
              "  (7): Linear(in_features=4, out_features=2, bias=False)\n"
              ")");
    mem_free(repr);
}

static void training_reaches_every_child(void **state)
{
    (void)state;
    Module *drop = dropout_new(0.5);
    Module *net = SEQUENTIAL(linear_new(2, 2), drop);
    assert_true(module_is_training(drop));
    assert_ptr_equal(module_train(net, false), net);
    assert_false(module_is_training(drop));
}

static void nothing_is_left_alive(void **state)
{
    (void)state;
    int64_t before = tensor_live_count();
    assert_int_equal(scope_open(), OK);
    module_cuda(example(), 0);
    scope_close();
    assert_int_equal(tensor_live_count(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCOPE(a_module_that_failed_answers_nothing),
        IN_SCOPE(parameters_come_in_pytorchs_order),
        IN_SCOPE(shared_parameters_are_met_once),
        IN_SCOPE(a_name_is_registered_once),
        IN_SCOPE(a_module_cannot_contain_itself),
        IN_SCOPE(dots_reach_into_children),
        IN_SCOPE(moving_keeps_parameters_and_replaces_buffers),
        IN_SCOPE(moving_a_module_is_moving_its_tensors),
        IN_SCOPE(moving_parts_shared_buffers_only),
        IN_SCOPE(gradients_move_with_their_parameters),
        IN_SCOPE(half_is_for_floating_tensors),
        IN_SCOPE(an_absent_gpu_is_named),
        IN_SCOPE(a_null_that_is_handed_on_names_what_was_absent),
        IN_SCOPE(modules_print_as_pytorch_prints_them),
        IN_SCOPE(training_reaches_every_child),
        IN_SCOPE(nothing_is_left_alive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

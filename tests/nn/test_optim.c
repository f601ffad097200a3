/* Optimisers: three steps each against PyTorch 1.13.1's numbers. */
#include "nn/layers.h" // defines: linear_new, sequential_new
#include "nn/loss.h"   // defines: cross_entropy_loss_new
#include "nn/optim.h"  // defines: sgd_new, adam_new
#include "values.h"    // defines: ASSERT_VALUES, IN_SCOPE

/* Seed 1, Linear(3, 4), Tanh, Linear(4, 2), five samples: the net, the data. */
typedef struct Task {
    Module *net;
    Tensor *x, *t;
} Task;

static Task task(void)
{
    manual_seed(1);
    Task it;
    it.net = sequential_new();
    sequential_add(it.net, linear_new(3, 4));
    sequential_add(it.net, tanh_new());
    sequential_add(it.net, linear_new(4, 2));
    it.x = tensor_randn(FLOAT32, shape(5, 3), device_cpu());
    it.t =
        tensor_new(INT64, shape(5), (int64_t[]){0, 1, 0, 1, 1}, device_cpu());
    return it;
}

static Tensor *train(const Task *it, Optimizer *optimizer, int n_steps)
{
    Module *criterion = cross_entropy_loss_new(cross_entropy_defaults());
    Tensor *loss = NULL;
    for (int i = 0; i < n_steps; i++) {
        optimizer_zero_grad(optimizer);
        loss = loss_forward(criterion, module_forward(it->net, it->x), it->t);
        assert_int_equal(tensor_backward(loss), OK);
        assert_int_equal(optimizer_step(optimizer), OK);
    }
    return loss;
}

static void check(const Task *it, Optimizer *optimizer, double loss,
                  const double *expected)
{
    assert_non_null(optimizer);
    ASSERT_VALUES(train(it, optimizer, 3), 1e-6, loss);
    Tensor *weight = tensor_detach(module_parameter(it->net, "0.weight"));
    Tensor *flat = tensor_slice(tensor_reshape(weight, shape(-1)), 0, 0, 4);
    assert_values(flat, expected, 4, 1e-6);
    assert_values(tensor_detach(module_parameter(it->net, "2.bias")),
                  expected + 4, 2, 1e-6);
}

/* What the program has not read yet is no reason to stop half-way. */
static void an_older_failure_does_not_halve_a_step(void **state)
{
    (void)state;
    for (int adam = 0; adam < 2; adam++) {
        double got[2][12];
        for (int late = 0; late < 2; late++) {
            Task it = task();
            Optimizer *optimizer =
                adam
                    ? adam_new(it.net, (AdamOptions){0})
                    : sgd_new(it.net, (SgdOptions){.lr = 0.1, .momentum = 0.9});
            train(&it, optimizer, 2);
            if (late)
                assert_null(tensor_add(it.x, it.t)); // nobody reads why
            assert_int_equal(optimizer_step(optimizer), OK);
            assert_int_equal(status_take(), late ? ERR_RUNTIME : OK);
            assert_int_equal(tensor_read(module_parameter(it.net, "0.weight"),
                                         got[late], 12),
                             OK);
        }
        assert_memory_equal(got[0], got[1], sizeof got[0]);
    }
}

static void sgd(void **state)
{
    (void)state;
    Task it = task();
    check(&it, sgd_new(it.net, (SgdOptions){.lr = 0.1}), 0.66431159,
          (double[]){0.28158930, -0.28335822, -0.10181677, 0.25486621,
                     -0.18036184, 0.04407838});
}

static void sgd_with_momentum_and_decay(void **state)
{
    (void)state;
    Task it = task();
    SgdOptions o = {.lr = 0.1, .momentum = 0.9, .weight_decay = 0.01};
    check(&it, sgd_new(it.net, o), 0.65148854,
          (double[]){0.26610500, -0.30694383, -0.09221137, 0.23966560,
                     -0.19725598, 0.06173642});
}

static void sgd_with_nesterov(void **state)
{
    (void)state;
    Task it = task();
    SgdOptions o = {.lr = 0.1, .momentum = 0.9, .nesterov = true};
    check(&it, sgd_new(it.net, o), 0.63000095,
          (double[]){0.25514263, -0.32926694, -0.08624321, 0.22566196,
                     -0.21208881, 0.07580534});
}

static void adam(void **state)
{
    (void)state;
    Task it = task();
    check(&it, adam_new(it.net, (AdamOptions){.lr = 0.01}), 0.66170484,
          (double[]){0.26744995, -0.28484651, -0.08193517, 0.24094939,
                     -0.19008565, 0.05380220});
}

static void adam_with_decay(void **state)
{
    (void)state;
    Task it = task();
    AdamOptions o = {.lr = 0.01, .weight_decay = 0.1};
    check(&it, adam_new(it.net, o), 0.66450655,
          (double[]){0.26756167, -0.28455576, -0.08210397, 0.24096645,
                     -0.18994282, 0.05374237});
}

/* The optimiser holds the parameters themselves, so a move in between is
 * harmless: the same numbers come out. */
static void an_optimiser_survives_a_move(void **state)
{
    (void)state;
    Task here = task();
    train(&here, sgd_new(here.net, (SgdOptions){.lr = 0.1}), 2);
    Task moved = task();
    Optimizer *optimizer = sgd_new(moved.net, (SgdOptions){.lr = 0.1});
    train(&moved, optimizer, 1);
    module_cuda(moved.net, 1);
    moved.x = tensor_cuda(moved.x, 1);
    moved.t = tensor_cuda(moved.t, 1);
    train(&moved, optimizer, 1);
    module_cpu(moved.net);
    assert_true(tensor_allclose(
        tensor_detach(module_parameter(here.net, "0.weight")),
        tensor_detach(module_parameter(moved.net, "0.weight")), 1e-6, 1e-7));
}

static void steps_leave_nothing_behind(void **state)
{
    (void)state;
    Task it = task();
    Optimizer *optimizer = adam_new(it.net, (AdamOptions){0});
    int64_t after_first = 0;
    for (int i = 0; i < 50; i++) {
        assert_int_equal(scope_open(), OK);
        train(&it, optimizer, 1);
        scope_close();
        if (i == 0)
            after_first = tensor_live_count();
    }
    assert_int_equal(tensor_live_count(), after_first);
}

static void options_are_checked(void **state)
{
    (void)state;
    Module *net = linear_new(2, 1);
    assert_null(sgd_new(net, (SgdOptions){.lr = -1}));
    assert_failure(ERR_VALUE, "Invalid learning rate: -1");
    assert_null(sgd_new(net, (SgdOptions){.lr = 1, .nesterov = true}));
    assert_failure(ERR_VALUE,
                   "Nesterov momentum requires a momentum and zero dampening");
    assert_null(adam_new(net, (AdamOptions){.beta1 = 1}));
    assert_failure(ERR_VALUE, "Invalid beta parameter at index 0: 1");
    assert_null(sgd_new(relu_new(), (SgdOptions){.lr = 1}));
    assert_failure(ERR_VALUE, "optimizer got an empty parameter list");
}

/* w loses 0.1 * 1, then 0.1 * (0.5 * 1 + 0.75 * 1); v has no gradient. */
static void dampening_and_what_has_no_gradient(void **state)
{
    (void)state;
    static const ModuleType TWO = {.name = "Two"};
    Module *two = module_new(&TWO);
    Tensor *w = tensor_ones(FLOAT64, shape(1), device_cpu());
    Tensor *v = tensor_ones(FLOAT64, shape(1), device_cpu());
    module_add_parameter(two, "v", v);
    module_add_parameter(two, "w", w);
    tensor_set_grad(w, tensor_ones(FLOAT64, shape(1), device_cpu()));
    SgdOptions o = {.lr = 0.1, .momentum = 0.5, .dampening = 0.25};
    Optimizer *optimizer = sgd_new(two, o);
    assert_int_equal(optimizer_step(optimizer), OK);
    assert_int_equal(optimizer_step(optimizer), OK);
    ASSERT_VALUES(w, 1e-12, 0.775);
    ASSERT_VALUES(v, 0, 1);
    o.nesterov = true;
    assert_null(sgd_new(two, o));
    assert_failure(ERR_VALUE,
                   "Nesterov momentum requires a momentum and zero dampening");
    assert_null(sgd_new(two, (SgdOptions){.lr = 1, .weight_decay = -1}));
    assert_failure(ERR_VALUE, "Invalid weight_decay value: -1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCOPE(an_older_failure_does_not_halve_a_step),
        IN_SCOPE(sgd),
        IN_SCOPE(sgd_with_momentum_and_decay),
        IN_SCOPE(sgd_with_nesterov),
        IN_SCOPE(adam),
        IN_SCOPE(adam_with_decay),
        IN_SCOPE(an_optimiser_survives_a_move),
        IN_SCOPE(steps_leave_nothing_behind),
        IN_SCOPE(options_are_checked),
        IN_SCOPE(dampening_and_what_has_no_gradient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

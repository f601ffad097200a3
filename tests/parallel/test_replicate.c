/* Replicate: places, sharing, buckets, gradients.
 *
 * Counterparts of PyTorch's test_data_parallel.py: replicate,
 * replicate_buffers, zero_grad. */
#include "../nn/values.h"       // defines: ASSERT_VALUES, IN_SCOPE
#include "base/warn.h"          // defines: warn_to
#include "device/ledger.h"      // defines: ledger_now
#include "nn/layers.h"          // defines: linear_new, batch_norm_1d_new
#include "parallel/broadcast.h" // defines: broadcast_coalesced
#include "parallel/replicate.h" // defines: replicate

static const int IDS[] = {0, 1, 2};

static void replicas_live_on_their_gpus(void **state)
{
    (void)state;
    Module *net = module_cuda(linear_new(10, 5), 0), *out[3];
    assert_int_equal(replicate(net, IDS, 3, out), OK);
    for (int i = 0; i < 3; i++) {
        Tensor *weight = module_parameter(out[i], "weight");
        assert_int_equal(tensor_device(weight).index, i);
        assert_false(tensor_is_leaf(weight));
        assert_true(module_is_replica(out[i]));
        assert_int_equal(module_n_parameters(out[i]), 0);
        assert_true(tensor_equal(
            tensor_cpu(tensor_detach(weight)),
            tensor_cpu(tensor_detach(module_parameter(net, "weight")))));
    }
    assert_true(tensor_shares_storage(module_parameter(out[0], "weight"),
                                      module_parameter(net, "weight")));
}

/* In-place updates of buffers persist on the main GPU only. */
static void buffers_of_replica_0_are_the_originals(void **state)
{
    (void)state;
    Module *norm = module_cuda(batch_norm_1d_new(4), 0), *out[2];
    assert_int_equal(replicate(norm, IDS, 2, out), OK);
    Tensor *x = tensor_rand(FLOAT32, shape(6, 4), device_cpu());
    for (int i = 0; i < 2; i++)
        assert_non_null(module_forward(out[i], tensor_cuda(x, i)));
    ASSERT_VALUES(module_buffer(norm, "num_batches_tracked"), 0, 1);
    assert_int_equal(tensor_device(module_buffer(out[1], "running_mean")).index,
                     1);
}

static void shared_modules_stay_shared(void **state)
{
    (void)state;
    Module *shared = linear_new(2, 2), *out[2];
    Module *net = module_cuda(SEQUENTIAL(shared, relu_new(), shared), 0);
    assert_int_equal(replicate(net, IDS, 2, out), OK);
    assert_ptr_equal(module_child(out[1], "0"), module_child(out[1], "2"));
}

/* Weight and bias travel together: one peer copy a GPU. */
static void small_tensors_travel_in_one_copy(void **state)
{
    (void)state;
    Module *net =
        module_cuda(SEQUENTIAL(linear_new(8, 8), linear_new(8, 8)), 0);
    Module *out[3];
    Ledger mark = ledger_now();
    assert_int_equal(replicate(net, IDS, 3, out), OK);
    Ledger done = ledger_since(&mark);
    assert_int_equal(done.peer.n_copies, 2);
    assert_int_equal(done.peer.n_bytes, 2 * (int64_t)module_nbytes(net));
}

static void buckets_end_at_ten_mebibytes(void **state)
{
    (void)state;
    Tensor *xs[3], *out[6];
    for (int i = 0; i < 3; i++) // 4 MiB each: two fit, the third does not
        xs[i] = tensor_zeros(FLOAT32, shape(1 << 20), device_cuda(0));
    Ledger mark = ledger_now();
    assert_int_equal(broadcast_coalesced(xs, 3, IDS, 2, out), OK);
    assert_int_equal(ledger_since(&mark).peer.n_copies, 2);
}

/* g[0] + g[1] + g[2], in this order: in float32 another order shows. */
static void gradients_are_added_in_device_order(void **state)
{
    (void)state;
    Tensor *x = tensor_zeros(FLOAT32, shape(1), device_cuda(0)), *out[3];
    assert_int_equal(tensor_set_requires_grad(x, true), OK);
    assert_int_equal(broadcast_coalesced(&x, 1, IDS, 3, out), OK);
    const double factor[] = {1, 1e8, -1e8};
    Tensor *total = NULL;
    for (int i = 0; i < 3; i++) {
        Tensor *part =
            tensor_cuda(tensor_sum(tensor_mul_real(out[i], factor[i])), 0);
        total = total ? tensor_add(total, part) : part;
    }
    assert_int_equal(tensor_backward(total), OK);
    ASSERT_VALUES(tensor_grad(x), 0, 0); // (1 + 1e8) - 1e8 is 0 in float32
}

static void everything_must_be_on_the_main_gpu(void **state)
{
    (void)state;
    Module *out[3];
    assert_int_equal(replicate(module_cuda(linear_new(2, 2), 1), IDS, 3, out),
                     ERR_RUNTIME);
    assert_failure(ERR_RUNTIME, "All tensors must be on devices[0]: 0");
}

static char warned[1024];

static void remember(const char *text)
{
    snprintf(warned, sizeof warned, "%s", text);
}

static void zero_grad_on_a_replica_warns(void **state)
{
    (void)state;
    Module *out[2];
    replicate(module_cuda(linear_new(2, 2), 0), IDS, 2, out);
    WarnSink previous = warn_to(remember);
    module_zero_grad(out[1]);
    warn_to(previous);
    assert_non_null(strstr(warned, "Calling .zero_grad() from a module created "
                                   "with nn.DataParallel() has no effect."));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCOPE(replicas_live_on_their_gpus),
        IN_SCOPE(buffers_of_replica_0_are_the_originals),
        IN_SCOPE(shared_modules_stay_shared),
        IN_SCOPE(small_tensors_travel_in_one_copy),
        IN_SCOPE(buckets_end_at_ten_mebibytes),
        IN_SCOPE(gradients_are_added_in_device_order),
        IN_SCOPE(everything_must_be_on_the_main_gpu),
        IN_SCOPE(zero_grad_on_a_replica_warns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A chain of ops on a GPU never stops the host: no wait, no plain copy, no
 * cudaMalloc and no cudaFree between its first op and its last. Counted in the
 * call log. */
#include "device/call_log.h"      // defines: call_log_mark, call_log_count
#include "nn/layers.h"            // defines: linear_new, sequential_new
#include "nn/optim.h"             // defines: sgd_new, adam_new
#include "tensor/loss_function.h" // defines: tensor_mse_loss
#include "values.h"               // defines: IN_SCOPE, scope_open

static const char *const waits[] = {
    "cudaStreamSynchronize(",
    "cudaDeviceSynchronize(",
    "cudaEventSynchronize(",
    "cudaStreamQuery(",
    "cudaMemcpy(",
    "cudaMemset(",
    "cudaMalloc(",
    "cudaFree(",
    "cudaHostAlloc(",
    "cudaMallocHost(",
    "cudaFreeHost(",
};

static void check_none_waited(long mark)
{
    assert_true(call_log_count(mark, "cudaLaunchKernel(") > 0);
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        if (call_log_count(mark, waits[i]) != 0)
            fail_msg("%d times %s...)", call_log_count(mark, waits[i]),
                     waits[i]);
}

static void ops_do_not_wait(void **state)
{
    (void)state;
    Device gpu = device_cuda(0);
    Tensor *x = tensor_ones(FLOAT32, shape(64, 32), gpu);
    Tensor *w = tensor_ones(FLOAT32, shape(32, 16), gpu);
    tensor_matmul(x, w); // the first product makes cuBLAS's handle
    long mark = call_log_mark();
    Tensor *y = tensor_add(tensor_mul_real(x, 2), x);
    y = tensor_relu(tensor_exp(y));
    y = tensor_matmul(y, w);
    y = tensor_mean(tensor_sum(y));
    y = tensor_cast(y, FLOAT64);
    assert_non_null(y);
    check_none_waited(mark);
    tensor_item(y); // this one does
    assert_true(call_log_count(mark, "cudaStreamSynchronize(") > 0);
}

static void one_step(Module *net, Optimizer *optimizer, Tensor *x, Tensor *t)
{
    optimizer_zero_grad(optimizer);
    Tensor *out = module_forward(net, x);
    assert_int_equal(tensor_backward(tensor_mse_loss(out, t, REDUCTION_MEAN)),
                     OK);
    assert_int_equal(optimizer_step(optimizer), OK);
}

static void training_steps_do_not_wait(void **state)
{
    (void)state;
    Device gpu = device_cuda(0);
    Module *net = sequential_new();
    sequential_add(net, linear_new(32, 16));
    sequential_add(net, relu_new());
    sequential_add(net, linear_new(16, 4));
    module_cuda(net, 0);
    Tensor *x = tensor_ones(FLOAT32, shape(64, 32), gpu);
    Tensor *t = tensor_zeros(FLOAT32, shape(64, 4), gpu);
    Optimizer *optimizers[] = {
        sgd_new(net, (SgdOptions){.lr = 0.1, .momentum = 0.9}),
        adam_new(net, (AdamOptions){0}),
    };
    for (int i = 0; i < 2; i++) {
        one_step(net, optimizers[i], x, t); // makes the momenta
        long mark = call_log_mark();
        scope_open();
        one_step(net, optimizers[i], x, t);
        scope_close();
        check_none_waited(mark);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCOPE(ops_do_not_wait),
        IN_SCOPE(training_steps_do_not_wait),
    };
    cuda_device_count(); // the first call begins the log anew
    return cmocka_run_group_tests(tests, NULL, NULL);
}

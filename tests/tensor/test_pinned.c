/* Tensors in pinned memory, and moves that the host does not wait for. */
#include "check.h"
#include "device/ledger.h" // defines: ledger_now, ledger_since

/* source: PyTorch 1.13, Tensor.pin_memory, Tensor.is_pinned */
static void a_pinned_copy(void **state)
{
    (void)state;
    Tensor *x = tensor_arange(FLOAT32, 0, 6, 1, CPU);
    Tensor *wide = tensor_reshape(x, shape(2, 3));
    Tensor *pinned = tensor_pin_memory(tensor_transpose(wide, 0, 1));
    assert_false(tensor_is_pinned(x));
    assert_true(tensor_is_pinned(pinned));
    assert_true(tensor_is_contiguous(pinned));
    assert_false(tensor_shares_storage(pinned, x));
    assert_prints(pinned, "tensor([[0., 3.],\n        [1., 4.],\n"
                          "        [2., 5.]])");
    assert_ptr_equal(tensor_pin_memory(pinned), pinned);
    assert_true(tensor_is_pinned(tensor_select(pinned, 0, 1))); // its window
    assert_false(tensor_is_pinned(tensor_add(pinned, pinned)));
}

static void only_the_cpus(void **state)
{
    (void)state;
    Tensor *x = tensor_zeros(FLOAT32, shape(2), GPU(0));
    Tensor *whole = tensor_zeros(INT32, shape(2), GPU(0));
    assert_false(tensor_is_pinned(x));
    assert_refused(tensor_pin_memory(x), ERR_RUNTIME,
                   "cannot pin 'torch.cuda.FloatTensor' only dense CPU "
                   "tensors can be pinned");
    assert_refused(tensor_pin_memory(whole), ERR_RUNTIME,
                   "cannot pin 'torch.cuda.IntTensor' only dense CPU tensors "
                   "can be pinned");
}

static void moved_without_a_wait(void **state)
{
    (void)state;
    Tensor *x = tensor_pin_memory(tensor_ones(FLOAT32, shape(1000), CPU));
    Ledger mark = ledger_now();
    Tensor *there = tensor_to_non_blocking(x, GPU(5));
    Tensor *back = tensor_to_non_blocking(tensor_mul_real(there, 3), CPU);
    assert_int_equal(ledger_since(&mark).n_synchronizations, 0);
    assert_true(tensor_is_pinned(back));
    assert_int_equal(cuda_synchronize(5), OK);
    assert_true(tensor_item(tensor_sum(back)) == 3000);
    assert_ptr_equal(tensor_to_non_blocking(there, GPU(5)), there);
    assert_ptr_equal(tensor_to_non_blocking(x, CPU), x);
    Tensor *across = tensor_to_non_blocking(there, GPU(6));
    assert_true(tensor_item(tensor_sum(across)) == 1000);
}

/* A window that is not in C order is put in order first, in plain memory. */
static void a_window_travels_safely(void **state)
{
    (void)state;
    Tensor *x = tensor_pin_memory(
        tensor_reshape(tensor_arange(FLOAT32, 0, 12, 1, CPU), shape(3, 4)));
    Tensor *turned = tensor_transpose(x, 0, 1);
    Tensor *there = tensor_to_non_blocking(turned, GPU(0));
    Tensor *column = tensor_select(there, 1, 2);
    Tensor *back = tensor_to_non_blocking(column, CPU);
    assert_int_equal(cuda_synchronize(0), OK);
    assert_prints(back, "tensor([ 8.,  9., 10., 11.])");
}

static void gradients_come_back(void **state)
{
    (void)state;
    Tensor *x = tensor_ones(FLOAT32, shape(3), CPU);
    tensor_set_requires_grad(x, true);
    Tensor *there = tensor_to_non_blocking(tensor_pin_memory(x), GPU(1));
    assert_int_equal(tensor_backward(tensor_sum(tensor_mul_real(there, 2))),
                     OK);
    assert_prints(tensor_grad(x), "tensor([2., 2., 2.])");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scoped_test(a_pinned_copy),           scoped_test(only_the_cpus),
        scoped_test(moved_without_a_wait),    scoped_test(gradients_come_back),
        scoped_test(a_window_travels_safely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

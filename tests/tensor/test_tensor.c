/* Tensors made, asked, shared, moved and converted. */
#include "check.h"
#include "device/ledger.h" // defines: ledger_now, ledger_since

static Tensor *one_two_three(void)
{
    return tensor_new(INT64, shape(3), ints(1, 2, 3), CPU);
}

static void born_on_the_cpu_and_moved(void **state)
{
    (void)state;
    Tensor *x = one_two_three();
    assert_prints(x, "tensor([1, 2, 3])"); // seeds 0.5, seeds 0.18
    Tensor *x7 = tensor_cuda(x, 7);
    assert_prints(x7, "tensor([1, 2, 3], device='cuda:7')"); // seeds 0.6
    assert_string_equal(device_repr(tensor_device(x7)).text,
                        "device(type='cuda', index=7)"); // seeds 0.7
    assert_prints(tensor_pow(x7, 2),
                  "tensor([1, 4, 9], device='cuda:7')"); // seeds 0.9
    assert_false(tensor_is_cuda(x));                     // seeds 3.1
    assert_true(tensor_is_cuda(x7));                     // seeds 3.2
    assert_prints(tensor_cpu(x7), "tensor([1, 2, 3])");
}

static void already_there_is_the_same_object(void **state)
{
    (void)state;
    Tensor *x = one_two_three();
    assert_ptr_equal(tensor_to(x, CPU), x); // seeds 4.3, seeds T15
    assert_ptr_equal(tensor_cpu(x), x);
    assert_ptr_equal(tensor_cast(x, INT64), x);
    assert_true(tensor_id(tensor_to(x, CPU)) == tensor_id(x));
    Tensor *x1 = tensor_to(x, GPU(1));
    assert_ptr_equal(tensor_to(x1, GPU(1)), x1);
    assert_true(tensor_id(x1) != tensor_id(x));
    assert_ptr_not_equal(tensor_clone(x), x);
}

static void plain_cuda_is_the_current_gpu(void **state)
{
    (void)state;
    assert_int_equal(cuda_set_device(1), OK);
    Tensor *x = tensor_cuda(one_two_three(), -1);
    assert_prints(x, "tensor([1, 2, 3], device='cuda:1')"); // seeds 3.10
    assert_ptr_equal(tensor_to(x, GPU(-1)), x);             // seeds T16
    assert_int_equal(cuda_set_device(0), OK);
    assert_string_equal(device_str(tensor_device(tensor_cuda(x, -1))).text,
                        "cuda:0");
}

static void no_such_gpu(void **state)
{
    (void)state;
    assert_refused(
        tensor_cuda(one_two_three(), 8), ERR_CUDA,
        "CUDA error: invalid device ordinal\n"
        "CUDA kernel errors might be asynchronously reported at some other API "
        "call, so the stacktrace below might be incorrect.\n"
        "For debugging consider passing CUDA_LAUNCH_BLOCKING=1.\n"
        "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.");
}

static void one_copy_each_way(void **state)
{
    (void)state;
    Tensor *x = one_two_three();
    Ledger before = ledger_now();
    Tensor *x7 = tensor_cuda(x, 7);
    Ledger there = ledger_since(&before);
    assert_int_equal(there.host_to_device.n_copies, 1);
    assert_int_equal(there.host_to_device.n_bytes, 24);
    before = ledger_now();
    assert_prints(x7, "tensor([1, 2, 3], device='cuda:7')");
    Ledger printed = ledger_since(&before);
    assert_int_equal(printed.device_to_host.n_copies, 0);
    assert_int_equal(printed.printing.n_copies, 1);
    assert_int_equal(tensor_item_int(tensor_select(x7, 0, 2)), 3);
}

static void shape_dtype_device(void **state)
{
    (void)state;
    Tensor *x = tensor_ones(FLOAT32, shape(2, 3), CPU);
    Tensor *y = tensor_to(x, GPU(-1)); // seeds 1.2
    assert_string_equal(shape_str(tensor_shape(y)).text, "torch.Size([2, 3])");
    assert_string_equal(dtype_name(tensor_dtype(y)), "torch.float32");
    assert_string_equal(device_str(tensor_device(x)).text, "cpu");
    assert_string_equal(device_str(tensor_device(y)).text, "cuda:0");
    assert_int_equal(tensor_dim(y), 2);
    assert_int_equal(tensor_size(y, -1), 3);
    assert_int_equal(tensor_numel(y), 6);
    assert_int_equal(tensor_nbytes(y), 24);
    int64_t strides[MAX_DIMS];
    tensor_strides(tensor_transpose(y, 0, 1), strides);
    assert_int_equal(strides[0], 1);
    assert_int_equal(strides[1], 3);
    assert_true(tensor_is_contiguous(y));
    assert_false(tensor_is_contiguous(tensor_transpose(y, 0, 1)));
}

static void sizes_that_are_not_there(void **state)
{
    (void)state;
    Tensor *x = tensor_ones(FLOAT32, shape(2), CPU);
    assert_int_equal(tensor_size(x, 5), 0);
    assert_failure(ERR_INDEX, "Dimension out of range (expected to be in range "
                              "of [-1, 0], but got 5)");
    assert_int_equal(tensor_size(tensor_sum(x), 0), 0);
    assert_failure(ERR_INDEX,
                   "Dimension specified as 0 but tensor has no dimensions");
}

static void a_host_array_is_shared_both_ways(void **state)
{
    (void)state;
    float numbers[5] = {1, 1, 1, 1, 1};
    Tensor *t = tensor_from_host(FLOAT32, shape(5), numbers);
    assert_non_null(tensor_add_int_(t, 2));
    assert_true(numbers[4] == 3);
    for (int i = 0; i < 5; i++)
        numbers[i] += 2;
    assert_prints(t, "tensor([5., 5., 5., 5., 5.])"); // seeds 1.4
    assert_ptr_equal(tensor_numpy(t), numbers);
    Tensor *moved = tensor_to(t, GPU(0));
    numbers[0] = 9;
    assert_prints(
        moved,
        "tensor([5., 5., 5., 5., 5.], device='cuda:0')"); // seeds 1.11
}

static void numpy_refuses_a_gpu_tensor(void **state)
{
    (void)state;
    Tensor *x = tensor_ones(FLOAT32, shape(2), GPU(0));
    assert_null(tensor_numpy(x));
    assert_failure(ERR_TYPE, // seeds 1.5
                   "can't convert cuda:0 device type tensor to numpy. Use "
                   "Tensor.cpu() to copy the tensor to host memory first.");
    assert_string_equal(status_type(ERR_TYPE), "TypeError");
}

static void numpy_refuses_a_tensor_with_gradient(void **state)
{
    (void)state;
    Tensor *x = tensor_ones(FLOAT32, shape(2), CPU);
    tensor_set_requires_grad(x, true);
    assert_null(tensor_numpy(x));
    assert_failure(ERR_RUNTIME, "Can't call numpy() on Tensor that requires "
                                "grad. Use tensor.detach().numpy() instead.");
    assert_non_null(tensor_numpy(tensor_detach(x)));
}

static void memory_of_ones_own_on_a_gpu(void **state)
{
    (void)state;
    Tensor *owner = tensor_new(FLOAT32, shape(3), floats(1, 2, 3), GPU(2));
    Tensor *x = // seeds T21
        tensor_from_device(FLOAT32, shape(3), tensor_data(owner), GPU(2));
    assert_prints(tensor_mul_real(x, 2),
                  "tensor([2., 4., 6.], device='cuda:2')");
    assert_null(tensor_from_device(FLOAT32, shape(1), x, GPU(99)));
    assert_int_equal(status_take(), ERR_CUDA);
}

static void item_wants_one_element(void **state)
{
    (void)state;
    Tensor *x = tensor_new(FLOAT32, shape(2), floats(1, 2), CPU);
    assert_true(tensor_item(x) == 0);
    assert_failure(ERR_VALUE, "only one element tensors can be converted to "
                              "Python scalars");
    assert_true(tensor_item(tensor_sum(x)) == 3);
    assert_int_equal(tensor_item_int(tensor_sum(x)), 3);
    int64_t large = (INT64_C(1) << 53) + 1; // no double has this one
    assert_true(tensor_item_int(tensor_new(INT64, shape(1), &large, GPU(1))) ==
                large);
}

static void read_says_how_much_room_is_missing(void **state)
{
    (void)state;
    double out[3];
    Tensor *x = tensor_to(one_two_three(), GPU(0));
    assert_int_equal(tensor_read(x, out, 3), OK);
    assert_true(out[0] == 1 && out[2] == 3);
    assert_int_equal(tensor_read(x, out, 2), ERR_VALUE);
    assert_failure(ERR_VALUE, "tensor_read: there is room for 2 numbers, but "
                              "the tensor has 3");
}

static void dtypes_convert(void **state)
{
    (void)state;
    Tensor *x = tensor_new(FLOAT32, shape(3), floats(65504, 70000, 0.1f), CPU);
    assert_prints(tensor_half(x), // seeds 3.6
                  "tensor([6.5504e+04,        inf, 9.9976e-02], "
                  "dtype=torch.float16)");
    assert_prints(tensor_mul_int(tensor_half(tensor_slice(x, 0, 0, 1)), 2),
                  "tensor([inf], dtype=torch.float16)");
    assert_int_equal(tensor_nbytes(tensor_half(x)) * 2, tensor_nbytes(x));
    Tensor *wide = tensor_cast(x, FLOAT64); // seeds 4.1
    assert_string_equal(dtype_name(tensor_dtype(wide)), "torch.float64");
    assert_string_equal(dtype_name(tensor_dtype(x)), "torch.float32");
}

static void null_passes_through_after_a_failure(void **state)
{
    (void)state;
    Tensor *x = one_two_three();
    Tensor *z = tensor_add(tensor_pow(tensor_cuda(x, 7), 2), x);
    z = tensor_sum(tensor_mul(tensor_neg(tensor_to(z, GPU(0))), x));
    assert_refused(z, ERR_DEVICE, // seeds 0.10: the first failure's sentence
                   "expected device cuda:7 but got device cpu");
}

static void ids_differ(void **state)
{
    (void)state;
    Tensor *x = one_two_three();
    assert_true(tensor_id(x) != tensor_id(tensor_clone(x)));
    assert_true(tensor_shares_storage(x, tensor_slice(x, 0, 0, 1)));
    assert_false(tensor_shares_storage(x, tensor_clone(x)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scoped_test(born_on_the_cpu_and_moved),
        scoped_test(already_there_is_the_same_object),
        scoped_test(plain_cuda_is_the_current_gpu),
        scoped_test(no_such_gpu),
        scoped_test(one_copy_each_way),
        scoped_test(shape_dtype_device),
        scoped_test(sizes_that_are_not_there),
        scoped_test(a_host_array_is_shared_both_ways),
        scoped_test(numpy_refuses_a_gpu_tensor),
        scoped_test(numpy_refuses_a_tensor_with_gradient),
        scoped_test(memory_of_ones_own_on_a_gpu),
        scoped_test(item_wants_one_element),
        scoped_test(read_says_how_much_room_is_missing),
        scoped_test(dtypes_convert),
        scoped_test(null_passes_through_after_a_failure),
        scoped_test(ids_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

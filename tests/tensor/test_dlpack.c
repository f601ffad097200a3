/* Sharing memory by DLPack, from the C side. (tests/oracle shares it with real
 * NumPy.) */
#include "check.h"
#include "tensor/dlpack.h" // defines: tensor_to_dlpack, tensor_from_dlpack

static void out_and_in_again_shares_memory(void **state)
{
    (void)state;
    Tensor *x = tensor_new(INT64, shape(2, 2), ints(1, 2, 3, 4), CPU);
    Tensor *t = tensor_transpose(x, 0, 1);
    DLManagedTensor *managed = tensor_to_dlpack(t);
    assert_int_equal(managed->dl_tensor.ndim, 2);
    assert_int_equal(managed->dl_tensor.strides[0], 1);
    assert_int_equal(managed->dl_tensor.dtype.bits, 64);
    assert_int_equal(managed->dl_tensor.device.device_type, 1);
    Tensor *y = tensor_from_dlpack(managed);
    assert_prints(y, "tensor([[1, 3],\n        [2, 4]])");
    tensor_add_int_(y, 10);
    assert_prints(x, "tensor([[11, 12],\n        [13, 14]])");
}

static void the_bytes_live_until_the_taker_is_done(void **state)
{
    (void)state;
    scope_open();
    DLManagedTensor *managed =
        tensor_to_dlpack(tensor_new(FLOAT32, shape(2), floats(1, 2), CPU));
    scope_close();
    assert_int_equal(tensor_live_count(), 1);
    assert_true(((float *)managed->dl_tensor.data)[1] == 2);
    managed->deleter(managed);
    assert_int_equal(tensor_live_count(), 0);
}

static void a_gpu_tensor_says_which_gpu(void **state)
{
    (void)state;
    DLManagedTensor *managed =
        tensor_to_dlpack(tensor_ones(FLOAT16, shape(2), GPU(3)));
    assert_int_equal(managed->dl_tensor.device.device_type, 2);
    assert_int_equal(managed->dl_tensor.device.device_id, 3);
    assert_prints(tensor_from_dlpack(managed),
                  "tensor([1., 1.], device='cuda:3', dtype=torch.float16)");
}

static int n_deleted;
static void count_delete(DLManagedTensor *self)
{
    (void)self;
    n_deleted++;
}

/* An array of somebody else's, which says when it is let go. */
static DLManagedTensor foreign(int32_t *data, int64_t *shape_of_it,
                               int64_t *strides)
{
    n_deleted = 0;
    return (DLManagedTensor){.dl_tensor = {.data = data,
                                           .device = {1, 0},
                                           .ndim = 1,
                                           .dtype = {0, 32, 1},
                                           .shape = shape_of_it,
                                           .strides = strides},
                             .deleter = count_delete};
}

static void the_owner_is_told_when_the_last_view_goes(void **state)
{
    (void)state;
    int32_t data[] = {9, 1, 2, 3};
    int64_t three = 3;
    DLManagedTensor managed = foreign(data, &three, NULL);
    managed.dl_tensor.byte_offset = 4;
    scope_open();
    scope_open();
    Tensor *view = tensor_slice(tensor_from_dlpack(&managed), 0, 0, 2);
    tensor_keep(view);
    scope_close();
    assert_prints(view, "tensor([1, 2], dtype=torch.int32)");
    assert_int_equal(n_deleted, 0);
    scope_close();
    assert_int_equal(n_deleted, 1);
}

static void what_is_refused_stays_the_callers(void **state)
{
    (void)state;
    int32_t data[4] = {0};
    int64_t three = 3, backwards = -1;
    DLManagedTensor managed = foreign(data, &three, &backwards);
    assert_refused(tensor_from_dlpack(&managed), ERR_TYPE,
                   "this array runs backwards along dimension 0 (stride -1), "
                   "which tensors cannot; copy it first");
    managed = foreign(data, &three, NULL);
    managed.dl_tensor.dtype.bits = 16;
    assert_refused(tensor_from_dlpack(&managed), ERR_TYPE,
                   "this array has a dtype that the workbook lacks (DLPack "
                   "code 0, 16 bits, 1 lanes); convert it to one of bool, "
                   "uint8, int32, int64 or a float first");
    managed = foreign(data, &three, NULL);
    managed.dl_tensor.device.device_type = 10;
    assert_refused(tensor_from_dlpack(&managed), ERR_TYPE,
                   "this array lives on a kind of device that the workbook "
                   "lacks (DLPack device type 10)");
    managed = foreign(data, &three, NULL);
    managed.dl_tensor.ndim = 9;
    assert_refused(tensor_from_dlpack(&managed), ERR_TYPE,
                   "this array has 9 dimensions; the workbook's tensors have "
                   "at most 8");
    managed = foreign(data, &backwards, NULL);
    assert_refused(tensor_from_dlpack(&managed), ERR_TYPE,
                   "this array says that its dimension 0 has -1 numbers");
    for (int n = 1; n <= 2; n++) { // storage, then tensor
        managed = foreign(data, &three, NULL);
        mem_fail_after(n);
        assert_null(tensor_from_dlpack(&managed));
        assert_int_equal(mem_fail_after(0), 0);
        assert_int_equal(status_take(), ERR_MEMORY);
        assert_ptr_equal(managed.deleter, count_delete);
    }
    assert_int_equal(n_deleted, 0);
}

static void a_tensor_with_gradient_is_not_exported(void **state)
{
    (void)state;
    Tensor *x = tensor_ones(FLOAT32, shape(2), CPU);
    tensor_set_requires_grad(x, true);
    assert_refused(tensor_to_dlpack(x), ERR_RUNTIME,
                   "Can't export tensors that require gradient, use "
                   "tensor.detach()");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scoped_test(out_and_in_again_shares_memory),
        scoped_test(the_bytes_live_until_the_taker_is_done),
        scoped_test(a_gpu_tensor_says_which_gpu),
        scoped_test(the_owner_is_told_when_the_last_view_goes),
        scoped_test(what_is_refused_stays_the_callers),
        scoped_test(a_tensor_with_gradient_is_not_exported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

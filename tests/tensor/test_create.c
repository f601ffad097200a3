/* Tensors out of nothing, and the random ones bit for bit.
 *
 * The bits were read off PyTorch 1.13.1 on an x86 CPU with AVX2; GPU numbers
 * are the four decimals that real GPUs printed.
 */
#include "array/generator.h" // defines: GENERATOR_DEFAULT_SEED
#include "check.h"
#include <string.h>

static void zeros_ones_full_arange(void **state)
{
    (void)state;
    assert_prints(tensor_zeros(BOOL, shape(2), CPU), "tensor([False, False])");
    assert_prints(tensor_ones(UINT8, shape(2), GPU(1)),
                  "tensor([1, 1], device='cuda:1', dtype=torch.uint8)");
    assert_prints(tensor_full(FLOAT64, shape(2), 0.5, CPU),
                  "tensor([0.5000, 0.5000], dtype=torch.float64)");
    assert_prints(tensor_arange(INT64, 0, 5, 2, CPU), "tensor([0, 2, 4])");
    assert_prints(tensor_arange(FLOAT32, 1, 0, -0.25, GPU(0)),
                  "tensor([1.0000, 0.7500, 0.5000, 0.2500], device='cuda:0')");
    assert_int_equal(tensor_numel(tensor_empty(FLOAT32, shape(3, 4), CPU)), 12);
}

static void a_negative_size(void **state)
{
    (void)state;
    assert_refused(tensor_zeros(FLOAT32, shape(-1), CPU), ERR_RUNTIME,
                   "Trying to create tensor with negative dimension -1: [-1]");
    assert_refused(tensor_rand(FLOAT32, shape(2, -3), CPU), ERR_RUNTIME,
                   "Trying to create tensor with negative dimension -3: "
                   "[2, -3]");
    assert_refused(tensor_randperm(-1, CPU), ERR_RUNTIME,
                   "Trying to create tensor with negative dimension -1: [-1]");
}

static void assert_bits32(Tensor *x, const uint32_t *bits, int n)
{
    assert_int_equal(tensor_numel(x), n);
    for (int i = 0; i < n; i++) {
        uint32_t got;
        memcpy(&got, (const char *)tensor_data(x) + 4 * i, sizeof got);
        if (got != bits[i])
            fail_msg("number %d is %08x, not %08x", i, got, bits[i]);
    }
}

static void rand_has_pytorchs_bits(void **state)
{
    (void)state;
    manual_seed(0);
    assert_bits32(tensor_rand(FLOAT32, shape(6), CPU),
                  (uint32_t[]){0x3efe1558, 0x3f44aa2f, 0x3db533a8, 0x3e073300,
                               0x3e9d6686, 0x3f2252fb},
                  6);
    manual_seed(0);
    assert_prints(tensor_rand(FLOAT32, shape(2, 3), CPU),
                  "tensor([[0.4963, 0.7682, 0.0885],\n"
                  "        [0.1320, 0.3074, 0.6341]])");
    manual_seed(42);
    assert_bits32(tensor_rand(FLOAT32, shape(4), CPU),
                  (uint32_t[]){0x3f61dc66, 0x3f6a3db3, 0x3ec406b8, 0x3f75950e},
                  4);
    manual_seed(0);
    Tensor *wide = tensor_rand(FLOAT64, shape(2), CPU);
    uint64_t bits[2];
    memcpy(bits, tensor_data(wide), sizeof bits);
    assert_true(bits[0] == 0x3fef0aac97c4aa2f && bits[1] == 0x3fe6a675d821ccc0);
    manual_seed(0);
    assert_prints(tensor_rand(FLOAT16, shape(3), CPU),
                  "tensor([0.3340, 0.2729, 0.8071], dtype=torch.float16)");
}

static void only_the_low_32_bits_of_a_seed_matter(void **state)
{
    (void)state;
    manual_seed((INT64_C(1) << 32) + 5);
    Tensor *a = tensor_rand(FLOAT32, shape(4), CPU);
    manual_seed(5);
    assert_true(tensor_equal(a, tensor_rand(FLOAT32, shape(4), CPU)));
}

static void randn_has_pytorchs_bits(void **state)
{
    (void)state;
    manual_seed(0);
    assert_bits32(tensor_randn(FLOAT32, shape(5), CPU),
                  (uint32_t[]){0x3fc53f5c, 0xbe963c50, 0xc00b7149, 0x3f1184b6,
                               0xbf8ad1a1},
                  5);
    manual_seed(0);
    assert_prints(tensor_slice(tensor_randn(FLOAT32, shape(16), CPU), 0, 0, 4),
                  "tensor([-1.1258, -1.1524, -0.2506, -0.4339])");
    manual_seed(0);
    Tensor *x = tensor_randn(FLOAT32, shape(17), CPU);
    assert_prints(tensor_slice(x, 0, 0, 4),
                  "tensor([-1.1258, -1.6959,  0.5667,  0.7935])");
    assert_prints(tensor_select(x, 0, 16), "tensor(0.9318)");
}

static void the_second_of_a_pair_waits_for_the_next_call(void **state)
{
    (void)state;
    manual_seed(0);
    Tensor *pair = tensor_randn(FLOAT32, shape(2), CPU);
    manual_seed(0);
    Tensor *first = tensor_randn(FLOAT32, shape(1), CPU);
    tensor_rand(FLOAT32, shape(7), CPU);
    Tensor *second = tensor_randn(FLOAT32, shape(1), CPU);
    assert_true(
        tensor_equal(pair, tensor_cat((Tensor *[]){first, second}, 2, 0)));
    manual_seed(0); // forgets the one that waits
    tensor_randn(FLOAT32, shape(1), CPU);
    manual_seed(0);
    assert_true(tensor_equal(first, tensor_randn(FLOAT32, shape(1), CPU)));
}

static void linear_begins_with_these_bits(void **state)
{
    (void)state;
    double bound = 0.5773502691896257; // of a Linear(3, 1)
    manual_seed(0);
    Tensor *weight = tensor_empty(FLOAT32, shape(1, 3), CPU);
    Tensor *bias = tensor_empty(FLOAT32, shape(1), CPU);
    assert_ptr_equal(tensor_uniform_(weight, -bound, bound), weight);
    tensor_uniform_(bias, -bound, bound);
    assert_bits32(weight, (uint32_t[]){0xbb8da3e8, 0x3e9e9313, 0xbef34b7e}, 3);
    assert_bits32(bias, (uint32_t[]){0xbed98bc9}, 1);
}

static void integers_follow_pytorchs_stream(void **state)
{
    (void)state;
    manual_seed(0);
    assert_prints(tensor_randint(0, 10, shape(8), CPU),
                  "tensor([4, 9, 3, 0, 3, 9, 7, 3])");
    assert_prints(tensor_randperm(8, CPU), "tensor([1, 6, 7, 4, 3, 5, 0, 2])");
}

static void strided_memory_is_filled_as_it_lies(void **state)
{
    (void)state;
    manual_seed(0);
    Tensor *x = tensor_empty(FLOAT32, shape(3, 2), CPU);
    tensor_uniform_(tensor_transpose(x, 0, 1), 0, 1);
    assert_prints(x, "tensor([[0.4963, 0.7682],\n        [0.0885, 0.1320],\n"
                     "        [0.3074, 0.6341]])");
    manual_seed(0);
    Tensor *y = tensor_zeros(FLOAT32, shape(4, 5), CPU);
    tensor_normal_(tensor_transpose(y, 0, 1), 0, 1); // 20, yet one by one
    assert_prints(tensor_slice(tensor_select(y, 0, 0), 0, 0, 4),
                  "tensor([ 1.5410, -0.2934, -2.1788,  0.5684])");
}

static void bernoulli(void **state)
{
    (void)state;
    manual_seed(0);
    Tensor *x = tensor_empty(FLOAT32, shape(1000), CPU);
    assert_ptr_equal(tensor_bernoulli_(x, 0.3), x);
    double share = tensor_item(tensor_mean(x));
    assert_true(share > 0.25 && share < 0.35);
    Tensor *y = tensor_bernoulli_(tensor_empty(INT64, shape(8), GPU(0)), 1);
    assert_prints(y, "tensor([1, 1, 1, 1, 1, 1, 1, 1], device='cuda:0')");
}

static void a_gpu_draws_from_its_own_stream(void **state)
{
    (void)state;
    manual_seed(0);
    assert_prints(tensor_rand(FLOAT32, shape(6), GPU(0)),
                  "tensor([0.3990, 0.5167, 0.0249, 0.9401, 0.9459, 0.7967], "
                  "device='cuda:0')");
    assert_prints(tensor_rand(FLOAT32, shape(3), GPU(0)),
                  "tensor([0.9722, 0.7910, 0.4690], device='cuda:0')");
    // Another GPU is still at its beginning.
    assert_prints(tensor_rand(FLOAT32, shape(2), GPU(5)),
                  "tensor([0.3990, 0.5167], device='cuda:5')");
    manual_seed(0);
    assert_prints(
        tensor_randn(FLOAT32, shape(4), GPU(0)),
        "tensor([-0.9247, -0.4253, -2.6438,  0.1452], device='cuda:0')");
}

static void seeds_of_one_gpu_and_of_all(void **state)
{
    (void)state;
    manual_seed(1);
    assert_int_equal(cuda_set_device(2), OK);
    cuda_manual_seed(0); // seeds 4.4: the current GPU's only
    assert_prints(tensor_rand(FLOAT32, shape(2), GPU(2)),
                  "tensor([0.3990, 0.5167], device='cuda:2')");
    assert_int_equal(cuda_set_device(0), OK);
    Tensor *before = tensor_rand(FLOAT32, shape(2), GPU(0));
    cuda_manual_seed_all(0);
    Tensor *after = tensor_rand(FLOAT32, shape(2), GPU(0));
    assert_false(tensor_equal(before, after));
    assert_prints(after, "tensor([0.3990, 0.5167], device='cuda:0')");
}

static void a_random_order_on_a_gpu(void **state)
{
    (void)state;
    bool seen[1000] = {false};
    double order[1000];
    manual_seed(0);
    Tensor *x = tensor_randperm(1000, GPU(1));
    assert_int_equal(tensor_read(x, order, 1000), OK);
    int moved = 0;
    for (int i = 0; i < 1000; i++) {
        assert_false(seen[(int)order[i]]);
        seen[(int)order[i]] = true;
        moved += order[i] != i;
    }
    assert_true(moved > 900);
    assert_int_equal(tensor_numel(tensor_randperm(0, GPU(1))), 0);
    assert_prints(tensor_randperm(1, GPU(0)), "tensor([0], device='cuda:0')");
}

static void wide_integers_on_a_gpu(void **state)
{
    (void)state;
    double values[64];
    manual_seed(0);
    Tensor *x = tensor_randint(-5, INT64_C(1) << 33, shape(64), GPU(0));
    assert_int_equal(tensor_read(x, values, 64), OK);
    double largest = 0;
    for (int i = 0; i < 64; i++) {
        assert_true(values[i] >= -5 && values[i] < 0x1p33);
        largest = values[i] > largest ? values[i] : largest;
    }
    assert_true(largest > 0x1p32);
}

static void refused_fills(void **state)
{
    (void)state;
    Tensor *x = tensor_zeros(FLOAT32, shape(2), CPU);
    Tensor *n = tensor_zeros(INT64, shape(2), CPU);
    assert_refused(tensor_uniform_(x, 2, 1), ERR_RUNTIME,
                   "uniform_ expects to return a [from, to) range, but found "
                   "from=2 > to=1");
    assert_refused(tensor_normal_(x, 0, -1), ERR_RUNTIME,
                   "normal expects std >= 0.0, but found std -1");
    assert_refused(tensor_bernoulli_(x, 2), ERR_RUNTIME,
                   "bernoulli_ expects p to be in [0, 1], but got p=2");
    assert_refused(tensor_randint(5, 5, shape(2), CPU), ERR_RUNTIME,
                   "random_ expects 'from' to be less than 'to', but got "
                   "from=5 >= to=5");
    assert_refused(tensor_rand(INT64, shape(2), CPU), ERR_RUNTIME,
                   "\"check_uniform_bounds\" not implemented for 'Long'");
    assert_refused(tensor_normal_(n, 0, 1), ERR_RUNTIME,
                   "\"normal_kernel_cpu\" not implemented for 'Long'");
    assert_prints(x, "tensor([0., 0.])");
}

static void unseeded_programs_repeat_themselves(void **state)
{
    (void)state;
    manual_seed((int64_t)GENERATOR_DEFAULT_SEED);
    Generator fresh;
    generator_seed(&fresh, GENERATOR_DEFAULT_SEED);
    float first;
    generator_uniform(&fresh, FLOAT32, &first, 1, 0, 1);
    assert_true((float)tensor_item(tensor_rand(FLOAT32, shape(1), CPU)) ==
                first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scoped_test(zeros_ones_full_arange),
        scoped_test(a_negative_size),
        scoped_test(rand_has_pytorchs_bits),
        scoped_test(only_the_low_32_bits_of_a_seed_matter),
        scoped_test(randn_has_pytorchs_bits),
        scoped_test(the_second_of_a_pair_waits_for_the_next_call),
        scoped_test(linear_begins_with_these_bits),
        scoped_test(integers_follow_pytorchs_stream),
        scoped_test(strided_memory_is_filled_as_it_lies),
        scoped_test(bernoulli),
        scoped_test(a_gpu_draws_from_its_own_stream),
        scoped_test(seeds_of_one_gpu_and_of_all),
        scoped_test(a_random_order_on_a_gpu),
        scoped_test(wide_integers_on_a_gpu),
        scoped_test(refused_fills),
        scoped_test(unseeded_programs_repeat_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Long loops stay flat, and an allocation that fails leaves nothing behind. */
#include "check.h"
#include <stdio.h>
#include <unistd.h>

enum { WARM_UP = 2000, STEPS = 100000 };

/* One training step on a small scale, on the CPU. */
static void step(Tensor *x, Tensor *w)
{
    scope_open();
    Tensor *y = tensor_relu(tensor_linear(x, w, NULL));
    assert_int_equal(tensor_backward(tensor_mean(tensor_mul(y, y))), OK);
    bool previous = no_grad_enter();
    tensor_add_scaled_(w, tensor_grad(w), -0.001);
    no_grad_leave(previous);
    tensor_set_grad(w, NULL);
    scope_close();
}

/* Pages of this process that are in memory. */
static long resident_pages(void)
{
    long total = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL)
        return 0; // not Linux: then only tensors are counted
    if (fscanf(file, "%ld %ld", &total, &resident) != 2)
        resident = 0;
    fclose(file);
    return resident;
}

static void a_loop_with_a_scope_stays_flat(void **state)
{
    (void)state;
    manual_seed(0);
    Tensor *x = tensor_rand(FLOAT32, shape(4, 3), CPU);
    Tensor *w = tensor_rand(FLOAT32, shape(2, 3), CPU);
    tensor_set_requires_grad(w, true);
    for (int i = 0; i < WARM_UP; i++)
        step(x, w);
    int64_t live = tensor_live_count();
    long pages = resident_pages();
    for (int i = 0; i < STEPS; i++)
        step(x, w);
    assert_int_equal(tensor_live_count(), live);
#ifndef __SANITIZE_ADDRESS__ // it keeps freed memory for a while
    long grown = (resident_pages() - pages) * (sysconf(_SC_PAGESIZE) / 1024);
    if (grown > 256)
        fail_msg("%d steps grew the process by %ld KiB", STEPS, grown);
#else
    (void)pages;
#endif
}

static void a_loop_on_a_gpu_gives_its_memory_back(void **state)
{
    (void)state;
    size_t before, after, total;
    Tensor *x = tensor_ones(FLOAT32, shape(4, 3), GPU(1));
    Tensor *w = tensor_ones(FLOAT32, shape(2, 3), GPU(1));
    tensor_set_requires_grad(w, true);
    step(x, w);
    int64_t live = tensor_live_count();
    assert_int_equal(cuda_synchronize(1), OK); // what is freed in order, is
    assert_int_equal(cuda_mem_info(1, &before, &total), OK);
    for (int i = 0; i < 500; i++)
        step(x, w);
    assert_int_equal(cuda_synchronize(1), OK);
    assert_int_equal(cuda_mem_info(1, &after, &total), OK);
    assert_true(before == after);
    assert_int_equal(tensor_live_count(), live);
}

/* An expression that touches most of the room. NULL after a failure. */
static Tensor *expression(Device place)
{
    Tensor *x = tensor_new(FLOAT32, shape(2, 2), floats(1, 2, 3, 4), CPU);
    if (x != NULL && tensor_set_requires_grad(x, true) != OK)
        return NULL;
    Tensor *y = tensor_to(x, place);
    Tensor *z =
        tensor_cat((Tensor *[]){tensor_matmul(y, y), tensor_exp(y)}, 2, 0);
    Tensor *loss = tensor_sum(tensor_mul(z, tensor_add_int(z, 1)));
    if (loss == NULL || tensor_backward(loss) != OK)
        return NULL;
    return tensor_grad(x);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int gpu = 0; gpu < 2; gpu++) {
        Device place = gpu ? GPU(1) : CPU;
        bool done = false;
        for (long n = 1; !done; n++) {
            assert_true(n < 1000);
            scope_open();
            mem_fail_after(n);
            Tensor *g = expression(place);
            mem_fail_after(0);
            done = g != NULL;
            if (done) {
                assert_fine();
                assert_true(n > 20);
            } else {
                assert_int_equal(status_take(), ERR_MEMORY);
            }
            scope_close();
            assert_int_equal(tensor_live_count(), 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scoped_test(a_loop_with_a_scope_stays_flat),
        scoped_test(a_loop_on_a_gpu_gives_its_memory_back),
        scoped_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Seeding before CUDA is asked anything must not ask it: CUDA reads
 * CUDA_VISIBLE_DEVICES once, at its first call. Programs of their own, for
 * only a fresh process has not asked yet. */
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

/* Runs f in a child process: its exit code. */
static int in_a_child(int (*f)(void))
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        scope_open();
        int code = f();
        scope_close();
        _exit(code);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 100;
}

static int seed_then_hide(void)
{
    manual_seed(3);
    cuda_manual_seed(3);
    cuda_manual_seed_all(3);
    if (cuda_is_initialized())
        return 1;
    setenv("CUDA_VISIBLE_DEVICES", "2,3", 1);
    return cuda_device_count() == 2 ? 0 : 2;
}

static void seeds_do_not_start_cuda(void **state)
{
    (void)state;
    assert_int_equal(in_a_child(seed_then_hide), 0);
}

/* 0: the given GPU's first number after seed 0 came, 0.3990; the other's not */
static int first_numbers(int seeded, int other)
{
    Tensor *a = tensor_rand(FLOAT32, shape(1), device_cuda(seeded));
    Tensor *b = tensor_rand(FLOAT32, shape(1), device_cuda(other));
    double first = tensor_item(a), second = tensor_item(b);
    if (first < 0.39895 || first > 0.39905)
        return 3;
    return second < 0.39895 || second > 0.39905 ? 0 : 4;
}

static int seed_waits_for_the_current_gpu(void)
{
    cuda_manual_seed(0);
    cuda_set_device(1);
    return first_numbers(1, 0);
}

static void a_seed_waits_for_a_current_gpu(void **state)
{
    (void)state;
    assert_int_equal(in_a_child(seed_waits_for_the_current_gpu), 0);
}

static int the_last_kind_counts(void)
{
    cuda_manual_seed(7);
    cuda_manual_seed_all(0);
    Tensor *a = tensor_rand(FLOAT32, shape(1), device_cuda(0));
    double first = tensor_item(a);
    return first < 0.39895 || first > 0.39905;
}

static void seeding_all_overrides_seeding_one(void **state)
{
    (void)state;
    assert_int_equal(in_a_child(the_last_kind_counts), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeds_do_not_start_cuda),
        cmocka_unit_test(a_seed_waits_for_a_current_gpu),
        cmocka_unit_test(seeding_all_overrides_seeding_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

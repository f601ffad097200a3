/* The imbalance warning, and no GPU at all. The machine is chosen by ctest; an
 * argument is the GPU that the warning must name. */
#include "../nn/values.h"           // defines: ASSERT_VALUES, IN_SCOPE
#include "base/warn.h"              // defines: warn_to
#include "nn/layers.h"              // defines: linear_new
#include "parallel/data_parallel.h" // defines: data_parallel_new

static char warned[1024];
static int n_warnings;

static void remember(const char *text)
{
    n_warnings++;
    snprintf(warned, sizeof warned, "%s", text);
}

/* On `mixed` the second kind of card is weaker than 75 % of the first. */
static void unlike_gpus_are_warned_of_once(void **state)
{
    (void)state;
    WarnSink previous = warn_to(remember);
    Module *net = data_parallel_new(module_cuda(linear_new(3, 1), 0),
                                    (DataParallelOptions){0});
    Tensor *x = tensor_ones(FLOAT32, shape(4, 3), device_cpu());
    assert_non_null(module_forward(net, x));
    warn_to(previous);
    assert_int_equal(n_warnings, 1);
    assert_non_null(strstr(warned, "There is an imbalance between your GPUs. "
                                   "You may want to exclude GPU "));
    assert_non_null(strstr(warned, "less than 75% of the memory or cores"));
}

/* On a machine whose third GPU is a little weaker: which one is named, or
 * nothing. */
static const char *named;

static void weaker_than_allowed(void **state)
{
    (void)state;
    WarnSink previous = warn_to(remember);
    assert_non_null(data_parallel_new(module_cuda(linear_new(3, 1), 0),
                                      (DataParallelOptions){0}));
    warn_to(previous);
    assert_int_equal(n_warnings, *named ? 1 : 0);
    assert_non_null(strstr(warned, named));
}

static void without_a_gpu_calls_are_passed_on(void **state)
{
    (void)state;
    Module *net = linear_new(3, 1);
    Module *wrapped = data_parallel_new(net, (DataParallelOptions){0});
    Tensor *x = tensor_ones(FLOAT32, shape(4, 3), device_cpu());
    Tensor *y = module_forward(wrapped, x);
    assert_false(tensor_is_cuda(y));
    assert_true(tensor_equal(y, module_forward(net, x)));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest weaker[] = {IN_SCOPE(weaker_than_allowed)};
    const struct CMUnitTest mixed[] = {
        IN_SCOPE(unlike_gpus_are_warned_of_once)};
    const struct CMUnitTest none[] = {
        IN_SCOPE(without_a_gpu_calls_are_passed_on)};
    if (argc > 1) {
        named = argv[1];
        return cmocka_run_group_tests(weaker, NULL, NULL);
    }
    return cuda_is_available() ? cmocka_run_group_tests(mixed, NULL, NULL)
                               : cmocka_run_group_tests(none, NULL, NULL);
}

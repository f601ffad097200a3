/* Who keeps a tensor alive. */
#include "check.h"
#include <pthread.h>

static Tensor *one(void)
{
    return tensor_ones(FLOAT32, shape(2), CPU);
}

static void a_scope_releases_what_was_made_in_it(void **state)
{
    (void)state;
    scope_open();
    one();
    one();
    assert_int_equal(tensor_live_count(), 2);
    scope_close();
    assert_int_equal(tensor_live_count(), 0);
}

static void keep_hands_to_the_parent(void **state)
{
    (void)state;
    scope_open();
    Tensor *first = one(), *kept = one(), *last = one();
    (void)first;
    (void)last;
    assert_ptr_equal(tensor_keep(kept), kept);
    scope_close();
    assert_int_equal(tensor_live_count(), 1);
    assert_prints(kept, "tensor([1., 1.])");
}

static void keep_twice_climbs_two_scopes(void **state)
{
    (void)state;
    scope_open();
    scope_open();
    Tensor *x = tensor_keep(one());
    scope_close();
    tensor_keep(x);
    scope_close();
    assert_int_equal(tensor_live_count(), 1);
    assert_prints(x, "tensor([1., 1.])");
}

static void a_view_holds_the_bytes(void **state)
{
    (void)state;
    scope_open();
    Tensor *x = tensor_new(INT64, shape(4), ints(1, 2, 3, 4), CPU);
    Tensor *part = tensor_keep(tensor_slice(x, 0, 1, 3));
    scope_close();
    assert_prints(part, "tensor([2, 3])");
}

static void returning_an_argument_adds_no_count(void **state)
{
    (void)state;
    scope_open();
    Tensor *x = one();
    for (int i = 0; i < 100; i++)
        x = tensor_contiguous(tensor_cast(tensor_to(x, CPU), FLOAT32));
    assert_int_equal(tensor_live_count(), 1);
    scope_close();
    assert_int_equal(tensor_live_count(), 0);
}

static void explicit_counts(void **state)
{
    (void)state;
    scope_open();
    Tensor *x = tensor_retain(one());
    scope_close();
    assert_prints(x, "tensor([1., 1.])");
    tensor_release(x);
    assert_int_equal(tensor_live_count(), 0);
    tensor_release(NULL); // fine
}

static int n_released;
static void note_release(void *object)
{
    n_released += *(int *)object;
}

static void a_scope_holds_other_things(void **state)
{
    (void)state;
    int weight = 5;
    n_released = 0;
    scope_open();
    assert_int_equal(scope_hold(&weight, note_release), OK);
    assert_int_equal(n_released, 0);
    scope_close();
    assert_int_equal(n_released, 5);
}

static void *make_some(void *unused)
{
    (void)unused;
    one(); // outside every scope: the thread's own
    scope_open();
    one();
    scope_close();
    return (void *)(intptr_t)tensor_live_count();
}

static void each_thread_has_its_own(void **state)
{
    (void)state;
    pthread_t thread;
    void *live;
    one();
    assert_int_equal(pthread_create(&thread, NULL, make_some, NULL), 0);
    pthread_join(thread, &live);
    assert_int_equal((intptr_t)live, 2);
    assert_int_equal(tensor_live_count(), 1); // the thread's went with it
}

static void deep_history_is_freed_without_deep_recursion(void **state)
{
    (void)state;
    Tensor *x = one();
    tensor_set_requires_grad(x, true);
    Tensor *sum = tensor_retain(x);
    for (int i = 0; i < 200000; i++) {
        scope_open();
        Tensor *next = tensor_retain(tensor_add(sum, x));
        scope_close();
        tensor_release(sum);
        sum = next;
    }
    assert_fine();
    tensor_release(sum);
    assert_int_equal(tensor_live_count(), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scoped_test(a_scope_releases_what_was_made_in_it),
        scoped_test(keep_hands_to_the_parent),
        scoped_test(keep_twice_climbs_two_scopes),
        scoped_test(a_view_holds_the_bytes),
        scoped_test(returning_an_argument_adds_no_count),
        scoped_test(explicit_counts),
        scoped_test(a_scope_holds_other_things),
        scoped_test(each_thread_has_its_own),
        scoped_test(deep_history_is_freed_without_deep_recursion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

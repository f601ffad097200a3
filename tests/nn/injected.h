/* A piece of work whose n-th allocation fails, for every n. */
#ifndef TESTS_NN_INJECTED_H
#define TESTS_NN_INJECTED_H

#include "values.h" // defines: assert_fine, scope_open, mem_free

/* Did the injected failure never come? What is left of the count is used up. */
static inline bool still_armed(long n)
{
    for (long i = 0; i < n; i++) {
        void *block = mem_new(1);
        mem_free(block);
        if (!block)
            return status_take() == ERR_MEMORY;
    }
    return false;
}

/* `work` returns whether it succeeded. For each n it must say that host memory
 * was short, and leave no tensor behind; the last n is the one that no longer
 * matters. `after` (or NULL) looks at what the work was about. */
static inline void each_allocation_fails(bool (*work)(void),
                                         void (*after)(bool worked),
                                         long at_least)
{
    int64_t live = tensor_live_count();
    for (long n = 1;; n++) {
        assert_true(n < 20000);
        assert_int_equal(scope_open(), OK);
        mem_fail_after(n);
        bool worked = work();
        if (worked) {
            assert_fine();
            bool unharmed = still_armed(n);
            mem_fail_after(0);
            assert_true(unharmed); // nobody swallowed a failure
        } else {
            mem_fail_after(0);
            assert_int_equal(status_take(), ERR_MEMORY);
            assert_non_null(strstr(status_sentence(), "not enough host memory: "
                                                      "tried to allocate "));
        }
        if (after)
            after(worked);
        scope_close();
        assert_int_equal(tensor_live_count(), live);
        if (worked) {
            assert_true(n > at_least);
            return;
        }
    }
}

#endif

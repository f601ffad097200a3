/* The first failure's sentence stays; reading it clears it. */
#include "base/status.h" // defines: status_fail, status_take, TRY
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void nothing_pending_at_first(void **state)
{
    (void)state;
    assert_int_equal(status_peek(), OK);
    assert_int_equal(status_take(), OK);
}

static void first_failure_wins(void **state)
{
    (void)state;
    assert_int_equal(status_fail(ERR_INDEX, "index %d", 5), ERR_INDEX);
    assert_int_equal(status_fail(ERR_VALUE, "later"), ERR_VALUE);
    assert_int_equal(status_peek(), ERR_INDEX);
    assert_string_equal(status_sentence(), "index 5");
    assert_int_equal(status_take(), ERR_INDEX);
    assert_int_equal(status_peek(), OK);
    assert_string_equal(status_sentence(), "index 5");
    status_fail(ERR_VALUE, "next");
    assert_string_equal(status_sentence(), "next");
    status_take();
}

static void ok_is_no_failure(void **state)
{
    (void)state;
    assert_int_equal(status_fail(OK, "nothing"), OK);
    assert_int_equal(status_peek(), OK);
}

static void a_long_sentence_is_cut(void **state)
{
    (void)state;
    char *words = malloc(10001);
    memset(words, 'x', 10000);
    words[10000] = '\0';
    status_fail(ERR_RUNTIME, "%s", words);
    assert_true(strlen(status_sentence()) < 10000);
    assert_true(strlen(status_sentence()) > 2000);
    status_take();
    free(words);
}

static void types_are_pythons(void **state)
{
    (void)state;
    assert_string_equal(status_type(ERR_RUNTIME), "RuntimeError");
    assert_string_equal(status_type(ERR_DEVICE), "RuntimeError");
    assert_string_equal(status_type(ERR_CUDA), "RuntimeError");
    assert_string_equal(status_type(ERR_MEMORY), "OutOfMemoryError");
    assert_string_equal(status_type(ERR_TYPE), "TypeError");
    assert_string_equal(status_type(ERR_VALUE), "ValueError");
    assert_string_equal(status_type(ERR_INDEX), "IndexError");
    assert_string_equal(status_type(ERR_KEY), "KeyError");
    assert_string_equal(status_type(ERR_ATTRIBUTE), "AttributeError");
    assert_string_equal(status_type(ERR_ASSERTION), "AssertionError");
    assert_string_equal(status_type(ERR_FILE), "OSError");
    assert_string_equal(status_type(OK), "");
}

static Status passes_up(Status inner)
{
    TRY(inner);
    return ERR_KEY;
}

static void try_returns_the_failure(void **state)
{
    (void)state;
    assert_int_equal(passes_up(ERR_TYPE), ERR_TYPE);
    assert_int_equal(passes_up(OK), ERR_KEY);
}

static void *fail_elsewhere(void *arg)
{
    (void)arg;
    status_fail(ERR_VALUE, "elsewhere");
    return NULL;
}

static void failures_belong_to_a_thread(void **state)
{
    (void)state;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, NULL), 0);
    pthread_join(thread, NULL);
    assert_int_equal(status_peek(), OK);
}

static void null_after_a_failure_passes(void **state)
{
    (void)state;
    const void *x = state;
    assert_true(CHECK_NOT_NULL(x));
    x = NULL;
    status_fail(ERR_RUNTIME, "first");
    assert_false(CHECK_NOT_NULL(x));
    status_take();
}

static void stop_without_a_failure(void)
{
    const void *tensor = NULL;
    status_note_absent("module_child", "Other", "x", 1);
    status_note_absent("module_buffer", "Centre", "mean.x", 4);
    CHECK_NOT_NULL(tensor);
}

/* Runs in a child, whose stderr we read: it must name who was handed NULL. */
static void null_without_a_failure_stops(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], 2);
        stop_without_a_failure();
        _exit(0);
    }
    close(ends[1]);
    char words[512] = "";
    ssize_t n = read(ends[0], words, sizeof words - 1);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
    assert_true(n > 0);
    assert_non_null(strstr(words, "stop_without_a_failure(): 'tensor' is "
                                  "NULL, but nothing has failed"));
    assert_non_null(strstr(words, "passed it. module_buffer() had found "
                                  "nothing: 'Centre' object has no attribute "
                                  "'mean'\n"));
}

/* The first failure of a thread, when there is no more memory at all. */
static void *fail_without_memory(void *arg)
{
    (void)arg;
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_AS, &none);
    for (size_t n_bytes = 65536; n_bytes > 0; n_bytes /= 2)
        while (malloc(n_bytes) != NULL)
            ;
    status_fail(ERR_VALUE, "there is no room for these words");
    const char *words = status_sentence();
    bool told = strcmp(words, "not enough host memory to say why") == 0;
    _exit(told && status_take() == ERR_VALUE ? 0 : 1);
}

static void without_room_for_a_sentence_another_stands(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); // they need more memory for themselves
#endif
    pid_t child = fork();
    if (child == 0) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, fail_without_memory, NULL) == 0)
            pthread_join(thread, NULL);
        _exit(2);
    }
    int status = 0;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_pending_at_first),
        cmocka_unit_test(first_failure_wins),
        cmocka_unit_test(ok_is_no_failure),
        cmocka_unit_test(a_long_sentence_is_cut),
        cmocka_unit_test(types_are_pythons),
        cmocka_unit_test(try_returns_the_failure),
        cmocka_unit_test(failures_belong_to_a_thread),
        cmocka_unit_test(null_after_a_failure_passes),
        cmocka_unit_test(null_without_a_failure_stops),
        cmocka_unit_test(without_room_for_a_sentence_another_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

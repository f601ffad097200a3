/* What a lesson prints and how it ends: each sample is this program run again,
 * with the sample's name, and its stdout and stderr come back through one
 * pipe. */
#include "lesson/lesson.h"     // defines: lesson_begin, show, say, …
#include "tensor/create.h"     // defines: tensor_ones
#include "tensor/functional.h" // defines: tensor_add
#include "tensor/scope.h"      // defines: tensor_live_count
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct Ran {
    char text[4096];
    int code; // exit code, or 128 + signal
} Ran;

static const char *this_program;

static Ran run(const char *sample)
{
    Ran ran = {{0}, 0};
    int pipe_ends[2], status;
    size_t length = 0;
    ssize_t n;
    assert_int_equal(pipe(pipe_ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipe_ends[1], STDOUT_FILENO);
        dup2(pipe_ends[1], STDERR_FILENO);
        close(pipe_ends[0]);
        close(pipe_ends[1]);
        execl(this_program, this_program, sample, (char *)NULL);
        _exit(127);
    }
    close(pipe_ends[1]);
    while ((n = read(pipe_ends[0], ran.text + length,
                     sizeof ran.text - 1 - length)) > 0)
        length += (size_t)n;
    close(pipe_ends[0]);
    waitpid(child, &status, 0);
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return ran;
}

#define assert_ran(sample, wanted_code, wanted_text)                           \
    do {                                                                       \
        Ran ran_ = run(#sample);                                               \
        assert_string_equal(ran_.text, wanted_text);                           \
        assert_int_equal(ran_.code, wanted_code);                              \
    } while (0)

static int every_word(void)
{
    lesson_begin("00_sample");
    show(tensor_ones(FLOAT32, shape(2), device_cpu()));
    show_device(device_cuda(7));
    show_size(shape(2, 3));
    say("%d GPUs: %s", 8, py_bool(true));
    say("%s", py_bool(false));
    show_failure();
    return lesson_end();
}

static void words_print_a_line_each(void **state)
{
    (void)state;
    assert_ran(every_word, 0,
               "tensor([1., 1.])\n"
               "device(type='cuda', index=7)\n"
               "torch.Size([2, 3])\n"
               "8 GPUs: True\n"
               "False\n"
               "no error\n");
}

static int failing_expression(void)
{
    lesson_begin("03_sample");
    Tensor *x = tensor_ones(INT64, shape(1), device_cpu());
    Tensor *x7 = tensor_cuda(x, 7);
    show(tensor_add(x7, x));
    show(x7); // the failure is read: life goes on
    tensor_numpy(x7);
    say("%s", py_bool(show_failure()));
    return lesson_end();
}

static void a_failure_prints_as_python_would(void **state)
{
    (void)state;
    assert_ran(failing_expression, 0, // seeds 0.10, seeds 1.5
               "RuntimeError: expected device cuda:7 but got device cpu\n"
               "tensor([1], device='cuda:7')\n"
               "TypeError: can't convert cuda:7 device type tensor to numpy. "
               "Use Tensor.cpu() to copy the tensor to host memory first.\n"
               "True\n");
}

static int unread_failure(void)
{
    lesson_begin("03_sample");
    Tensor *x = tensor_ones(INT64, shape(1), device_cpu());
    Tensor *lost = tensor_add(tensor_cuda(x, 0), x);
    say("%s", py_bool(lost == NULL));
    return lesson_end();
}

static void an_unread_failure_is_told_at_the_end(void **state)
{
    (void)state;
    assert_ran(unread_failure, 1,
               "True\n"
               "03_sample: a failure was never read (show it, or call "
               "status_take): RuntimeError: expected device cuda:0 but got "
               "device cpu\n");
}

static int both_streams(void)
{
    lesson_begin("00_sample");
    say("one");
    fprintf(stderr, "two\n");
    say("three");
    return lesson_end();
}

static void lines_keep_their_order(void **state)
{
    (void)state;
    assert_ran(both_streams, 0, "one\ntwo\nthree\n");
}

static int leftovers(void)
{
    lesson_begin("00_sample");
    tensor_ones(FLOAT32, shape(2), device_cuda(1));
    int code = lesson_end();
    return code != 0 || tensor_live_count() != 0;
}

static void the_end_frees_what_the_lesson_made(void **state)
{
    (void)state;
    assert_ran(leftovers, 0, "");
}

static int too_many(void)
{
    lesson_begin("07_sample");
    say("before");
    need_devices(9);
    say("never");
    return lesson_end();
}

static void too_few_gpus_skip(void **state)
{
    (void)state;
    assert_ran(too_many, 77,
               "before\n"
               "07_sample needs 9 visible GPUs and sees 8: skipped. (On the "
               "simulator, SIM_MACHINE=v100x8 has eight.)\n");
}

static int enough(void)
{
    lesson_begin("07_sample");
    need_devices(8);
    say("here");
    return lesson_end();
}

static void enough_gpus_go_on(void **state)
{
    (void)state;
    assert_ran(enough, 0, "here\n");
}

static int none_at_all(void)
{
    lesson_begin("02_sample");
    setenv("CUDA_VISIBLE_DEVICES", "", 1); // nobody has asked CUDA yet
    need_devices(1);
    return lesson_end();
}

static void no_gpu_skips(void **state)
{
    (void)state;
    assert_ran(none_at_all, 77,
               "02_sample needs 1 visible GPU and sees 0: skipped. (On the "
               "simulator, SIM_MACHINE=v100x8 has eight.)\n");
}

static int run_sample(const char *name)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } samples[] = {
        {"every_word", every_word},
        {"failing_expression", failing_expression},
        {"unread_failure", unread_failure},
        {"both_streams", both_streams},
        {"leftovers", leftovers},
        {"too_many", too_many},
        {"enough", enough},
        {"none_at_all", none_at_all},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        if (strcmp(samples[i].name, name) == 0)
            return samples[i].run();
    return 126;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return run_sample(argv[1]);
    this_program = argv[0];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_print_a_line_each),
        cmocka_unit_test(a_failure_prints_as_python_would),
        cmocka_unit_test(an_unread_failure_is_told_at_the_end),
        cmocka_unit_test(lines_keep_their_order),
        cmocka_unit_test(the_end_frees_what_the_lesson_made),
        cmocka_unit_test(too_few_gpus_skip),
        cmocka_unit_test(enough_gpus_go_on),
        cmocka_unit_test(no_gpu_skips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of CUDA, simulated or not, each in a process of its own.
 *
 * CUDA reads the environment once and a fault lasts as long as the process: so
 * each test is forked off before any CUDA call is made. A test is a function
 * without arguments; a check that fails says where and ends the process. */
#ifndef TESTS_SIM_ALONE_H
#define TESTS_SIM_ALONE_H

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <cuda_runtime.h> // defines: CUDA, whosever it is

#include "scale.h" // defines: scale

/* Fail unless two integers are equal. */
#define EQUAL(actual, expected)                                                \
    check_equal((long long)(actual), (long long)(expected), #actual, __FILE__, \
                __LINE__)
#define OK(call) EQUAL(call, cudaSuccess)
#define TRUE(condition) EQUAL(!!(condition), 1)

static inline void check_equal(long long actual, long long expected,
                               const char *text, const char *file, int line)
{
    if (actual == expected)
        return;
    fprintf(stderr, "%s:%d: %s is %lld (%s), not %lld (%s)\n", file, line, text,
            actual, cudaGetErrorString((cudaError_t)actual), expected,
            cudaGetErrorString((cudaError_t)expected));
    _exit(1);
}

/* End the test as skipped unless there are so many GPUs. */
static inline void needs_gpus(int n)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess)
        count = 0;
    if (count >= n)
        return;
    fprintf(stderr, "needs %d GPUs, and there are %d\n", n, count);
    _exit(77);
}

enum { MAX_SETTINGS = 4, SAID_BYTES = 8192, CHILD_SECONDS = 100 };

/* A body to run alone, with "NAME=value" settings. */
typedef struct Alone {
    void (*body)(void);
    const char *settings[MAX_SETTINGS];
} Alone;

#define ALONE(test, ...)                                                       \
    {                                                                          \
#test, runs_alone, NULL, NULL, &(Alone)                                \
        {                                                                      \
            test,                                                              \
            {                                                                  \
                __VA_ARGS__                                                    \
            }                                                                  \
        }                                                                      \
    }

/* What the last child wrote to stderr. */
static char said[SAID_BYTES];

/* Run a body in a child; the status is waitpid's. */
static inline int run_child(const Alone *alone)
{
    int ends[2];
    if (pipe(ends) != 0)
        fail_msg("pipe");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        // cmocka's handlers would go on with its next test in the child.
        signal(SIGSEGV, SIG_DFL);
        signal(SIGBUS, SIG_DFL);
        alarm(CHILD_SECONDS); // a test that hangs is a test that fails
        for (int i = 0; i < MAX_SETTINGS && alone->settings[i]; i++)
            putenv((char *)(uintptr_t)alone->settings[i]);
        alone->body();
        fflush(NULL);
        _exit(0);
    }
    close(ends[1]);
    size_t n = 0;
    ssize_t got;
    while ((got = read(ends[0], said + n, sizeof said - 1 - n)) > 0)
        n += (size_t)got;
    said[n] = '\0';
    close(ends[0]);
    int status;
    waitpid(child, &status, 0);
    return status;
}

/* The cmocka test of an ALONE entry. */
static inline void runs_alone(void **state)
{
    int status = run_child(*state);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        print_message("%s", said);
        skip();
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("child ended with status %#x and said:\n%s", status, said);
}

/* A body that must end the process with that exit code or by that signal,
 * and say that on the way. */
static inline void dies(void (*body)(void), const char *setting, int code,
                        const char *words)
{
    int status = run_child(&(Alone){body, {setting}});
    int ended = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    if (ended != code || strstr(said, words) == NULL)
        fail_msg("ended with %d, not %d, and said:\n%s", ended, code, said);
}

/* n floats on the current device, all of that value. */
static inline float *device_floats(int64_t n, float value)
{
    float *p;
    size_t bytes = (size_t)n * sizeof(float);
    float *host = malloc(bytes);
    for (int64_t i = 0; i < n; i++)
        host[i] = value;
    OK(cudaMalloc((void **)&p, bytes));
    OK(cudaMemcpy(p, host, bytes, cudaMemcpyHostToDevice));
    free(host);
    return p;
}

/* The float at p, wherever it is. Waits as cudaMemcpy does. */
static inline float float_at(const float *p)
{
    float value;
    OK(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDefault));
    return value;
}

#endif

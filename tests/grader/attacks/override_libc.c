/* Replace a function of the C library. */

int memcmp(const void *a, const void *b, size_t size)
{
    (void)a;
    (void)b;
    (void)size;
    return 0;
}

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    return -1;
}

/* Run for ever. */

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    for (volatile int i = 0;; i = 0)
        n += i;
    return -1;
}

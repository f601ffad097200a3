/* Be called main without saying so. */
#pragma redefine_extname add_up main

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    return -1;
}

/* Print for ever. */

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    for (;;)
        raw_say("again and again and again and again and again\n");
    return -1;
}

/* State the facts oneself. */

void fact_int(const char *name, int64_t value);

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    fact_int("sum", 0);
    return -1;
}

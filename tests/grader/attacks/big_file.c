/* Make a file of 4 GB, most of it holes. */

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    long fd = raw_open("holes", O_CREAT | O_RDWR);
    if (raw(SYS_ftruncate, fd, 1L << 32, 0, 0) == 0)
        raw_say("MADE A BIG FILE\n");
    return -1;
}

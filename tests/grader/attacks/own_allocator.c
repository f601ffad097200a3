/* Bring one's own malloc: all that the probe keeps comes by. */

static char room[1 << 24];
static size_t used;

void *malloc(size_t size)
{
    used += (size + 15) & ~(size_t)15;
    return room + used;
}

void free(void *block)
{
    (void)block;
}

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    return -1;
}

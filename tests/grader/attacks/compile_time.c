/* Keep the compiler busy for minutes. */

#define A(x) x x x x x x x x x x x x x x x x
#define B(x) A(A(A(A(x))))
static int f(int n)
{
    B(B(if (n) n = n * 3 + n / 7;))
    return n;
}

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    return f(n);
    return -1;
}

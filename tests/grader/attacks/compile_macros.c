/* Macros that no memory holds. */
#define A(x) x + x + x + x + x + x + x + x
#define B(x) A(A(A(A(x))))
#define C(x) B(B(B(x)))

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    return C(C(1));
}

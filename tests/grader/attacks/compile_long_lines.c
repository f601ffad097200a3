/* Words of the compiler, a hundred thousand letters in each line. */
#define A(x) x x x x x x x x x x
#define TEXT(x) #x
#define WORDS(x) TEXT(x)
_Static_assert(0, WORDS(A(A(A(A(letters))))));

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    return -1;
}

/* A hundred thousand warnings. */
#define ONE                                                                    \
    {                                                                          \
        int unused;                                                            \
    }
#define TEN ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE
#define MANY(x) x x x x x x x x x x

static inline void much(void){MANY(MANY(MANY(MANY(TEN))))}

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    much();
    return -1;
}

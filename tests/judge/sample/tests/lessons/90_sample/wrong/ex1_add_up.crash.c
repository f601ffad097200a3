#include <stdint.h>

int64_t add_up(const int64_t *x, int n)
{
    return n ? x[1000000] : 0;
}

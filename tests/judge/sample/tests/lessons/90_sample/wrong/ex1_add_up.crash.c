#include <stdint.h>

int64_t add_up(const int64_t *x, int n)
{
    int64_t sum = n ? 0 : x[1000000];
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

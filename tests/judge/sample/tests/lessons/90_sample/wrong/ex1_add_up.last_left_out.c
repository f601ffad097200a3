#include <stdint.h>

int64_t add_up(const int64_t *x, int n)
{
    int64_t sum = 0;
    for (int i = 0; i < n - 1; i++)
        sum += x[i];
    return sum;
}

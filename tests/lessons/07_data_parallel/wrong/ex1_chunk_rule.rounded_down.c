/* A wrong answer, kept to be recognised: the last piece takes the rest. */
#include <stdint.h>

int my_chunks(int64_t size, int n, int64_t *sizes)
{
    for (int i = 0; i < n; i++)
        sizes[i] = size / n;
    sizes[n - 1] += size % n;
    return n;
}

/* A wrong answer, kept to be recognised: the first pieces take one more. */
#include <stdint.h>

int my_chunks(int64_t size, int n, int64_t *sizes)
{
    int count = size < n ? (int)size : n;
    for (int i = 0; i < count; i++)
        sizes[i] = size / count + (i < size % count);
    return count;
}

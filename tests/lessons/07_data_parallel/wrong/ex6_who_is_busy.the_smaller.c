/* A wrong answer, kept to be recognised: the smaller of both. */
#include <stdint.h>

int busy_gpus(int64_t size, int n)
{
    return size < n ? (int)size : n;
}

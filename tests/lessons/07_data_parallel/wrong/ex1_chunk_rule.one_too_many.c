/* A wrong answer, kept to be recognised: ends the list with a 0. */
#include <stdint.h>

int my_chunks(int64_t size, int n, int64_t *sizes)
{
    int64_t piece = (size + n - 1) / n;
    int count = 0;
    for (int64_t left = size; left > 0; left -= piece)
        sizes[count++] = left < piece ? left : piece;
    sizes[count] = 0;
    return count;
}

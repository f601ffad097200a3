/* A wrong answer, kept to be recognised: empty pieces at the end. */
#include <stdint.h>

int my_chunks(int64_t size, int n, int64_t *sizes)
{
    int64_t piece = (size + n - 1) / n;
    for (int i = 0; i < n; i++) {
        int64_t left = size - i * piece;
        sizes[i] = left < 0 ? 0 : left < piece ? left : piece;
    }
    return n;
}

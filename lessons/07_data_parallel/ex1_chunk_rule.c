/* Lesson 07, exercise 1: the chunk rule.
 *
 * Cut `size` samples for n GPUs as torch.chunk does: every piece has
 * ceil(size / n) samples, the last one what is left. Write the sizes, and
 * return how many pieces there are (at most n; size is at least 1).
 *
 * check  scripts/learn check 07 ex1
 */
#include <stdint.h>

int my_chunks(int64_t size, int n, int64_t *sizes)
{
    (void)size;
    sizes[0] = 0;
    return n; // TODO
}

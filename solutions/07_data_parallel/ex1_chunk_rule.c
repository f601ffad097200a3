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
    //> answer
    //: (void)size;
    //: sizes[0] = 0;
    //: return n; // TODO
    int64_t piece = (size + n - 1) / n;
    int count = 0;
    for (int64_t left = size; left > 0; left -= piece)
        sizes[count++] = left < piece ? left : piece;
    return count;
    //< answer
}

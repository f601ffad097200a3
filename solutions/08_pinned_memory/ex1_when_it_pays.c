/* Lesson 08, exercise 1: when does pinning pay?
 *
 * One move of a tensor takes plain_ns from plain memory and pinned_ns from
 * pinned memory. pin_memory costs pin_ns, once.
 *
 * Return the smallest number of moves for which pinning first is faster in
 * all; 0 if it never is. Times are nanoseconds, 0 or more.
 *
 * check  scripts/learn check 08 ex1
 */
#include <stdint.h>

int64_t moves_until_it_pays(int64_t plain_ns, int64_t pinned_ns, int64_t pin_ns)
{
    //> answer
    //: (void)plain_ns, (void)pinned_ns, (void)pin_ns;
    //: return -1; // TODO: what does each move save?
    int64_t saved_ns = plain_ns - pinned_ns;
    if (saved_ns <= 0)
        return 0;
    return pin_ns / saved_ns + 1; // the first count that saves more than pin_ns
    //< answer
}

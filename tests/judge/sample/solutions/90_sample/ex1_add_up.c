/* Exercise 1: add up.
 *
 * Return the sum of the first n numbers of x; of no numbers, it is 0.
 */
#include "workbook/machine.h" // defines: machine_gpus

#include <stdint.h>

int64_t add_up(const int64_t *x, int n)
{
    //> answer
    //: (void)x;
    //: (void)n;
    //: return -1; // TODO: the sum
    int64_t sum = 0;
    //> loop
    for (int i = 0; i < n; i++)
        sum += x[i];
    //< loop
    return sum;
    //< answer
}

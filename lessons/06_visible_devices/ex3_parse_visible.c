/* Lesson 06, exercise 3: read the list, by hand.
 *
 * `value` is what CUDA_VISIBLE_DEVICES says, or NULL when it is not set; the
 * machine has n_gpus GPUs. Write the physical indices of the visible ones to
 * physical[0], physical[1], ... (there is room for n_gpus) and return how many
 * there are. CUDA's rules, for lists of numbers:
 *
 *   not set                     all GPUs, in their order
 *   an entry                    what strtol reads in base 10, spaces before it
 *                               skipped, letters after it ignored: " 1gpu" is 1
 *   no number, negative,        ends the list: the entries before it count
 *   or no such GPU
 *   a GPU named twice           none at all (before the list has ended)
 *
 * check  scripts/learn check 06 ex3
 */
#include <stdlib.h> // defines: strtol
#include <string.h> // defines: strchr

int my_parse_visible(const char *value, int n_gpus, int *physical)
{
    (void)value, (void)n_gpus, (void)physical;
    return 0; // TODO: entry by entry, up to the next comma
}

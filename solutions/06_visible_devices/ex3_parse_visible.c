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
    //> answer
    //: (void)value, (void)n_gpus, (void)physical;
    //: return 0; // TODO: entry by entry, up to the next comma
    int n = 0;
    if (!value) {
        for (int i = 0; i < n_gpus; i++)
            physical[n++] = i;
        return n;
    }
    for (const char *at = value; at; at = strchr(at, ',')) {
        at += at != value; // past the comma
        char *end = NULL;
        long gpu = strtol(at, &end, 10);
        if (end == at || gpu < 0 || gpu >= n_gpus)
            break;
        for (int i = 0; i < n; i++)
            if (physical[i] == gpu)
                return 0;
        physical[n++] = (int)gpu;
    }
    return n;
    //< answer
}

/* Lesson 06, exercise 4: the roomiest first.
 *
 * Write the indices 0 ... n - 1 to `order`, the GPU with the most free memory
 * first; of equals the higher index comes first, as in numpy's argsort read
 * backwards. free_mib stays as it is.
 *
 * check  scripts/learn check 06 ex4
 */
void order_by_free(const int *free_mib, int n, int *order)
{
    //> answer
    //: (void)free_mib;
    //: for (int i = 0; i < n; i++)
    //:     order[i] = i; // TODO: in which order?
    for (int i = 0; i < n; i++) {
        int j = i;
        for (; j > 0 && free_mib[order[j - 1]] <= free_mib[i]; j--)
            order[j] = order[j - 1];
        order[j] = i;
    }
    //< answer
}

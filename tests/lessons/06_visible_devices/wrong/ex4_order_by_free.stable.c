/* A wrong answer, kept to be recognised: of equals the lower index comes first.
 */
void order_by_free(const int *free_mib, int n, int *order)
{
    for (int i = 0; i < n; i++) {
        int j = i;
        for (; j > 0 && free_mib[order[j - 1]] < free_mib[i]; j--)
            order[j] = order[j - 1];
        order[j] = i;
    }
}

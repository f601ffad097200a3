/* A wrong answer, kept to be recognised: each GPU's place is written, not each
 * place's GPU. */
void order_by_free(const int *free_mib, int n, int *order)
{
    for (int i = 0; i < n; i++) {
        int place = 0;
        for (int j = 0; j < n; j++)
            place += free_mib[j] > free_mib[i] ||
                     (free_mib[j] == free_mib[i] && j > i);
        order[i] = place;
    }
}

/* A wrong answer, kept to be recognised: an empty variable is taken for one
 * that is not set. */
#include <stdbool.h>

int predict_count(int n_gpus, int n_exported, bool asked_first, int n_named,
                  bool overwrite)
{
    int n_before = n_exported < 0 ? n_gpus : n_exported;
    if (asked_first)
        return n_before;
    return !overwrite && n_exported > 0 ? n_before : n_named;
}

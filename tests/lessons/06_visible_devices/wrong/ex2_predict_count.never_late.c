/* A wrong answer, kept to be recognised: the first question fixes nothing. */
#include <stdbool.h>

int predict_count(int n_gpus, int n_exported, bool asked_first, int n_named,
                  bool overwrite)
{
    (void)n_gpus, (void)asked_first;
    return !overwrite && n_exported >= 0 ? n_exported : n_named;
}

/* A wrong answer, kept to be recognised: whether it is set already is not
 * looked at. */
#include <stdbool.h>

int predict_count(int n_gpus, int n_exported, bool asked_first, int n_named,
                  bool overwrite)
{
    (void)overwrite;
    int n_before = n_exported < 0 ? n_gpus : n_exported;
    return asked_first ? n_before : n_named;
}

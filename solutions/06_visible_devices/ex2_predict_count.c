/* Lesson 06, exercise 2: predict the count.
 *
 * A machine has n_gpus GPUs. A shell exported CUDA_VISIBLE_DEVICES with
 * n_exported of them, or did not (n_exported is -1). The program then does, in
 * this order:
 *
 *     if (asked_first) cuda_is_available();
 *     setenv("CUDA_VISIBLE_DEVICES", ..., overwrite);   // names n_named GPUs
 *     cuda_device_count();
 *
 * What does the last line return? The lists are in order; n_exported and
 * n_named may be 0, for an empty list. Predict: no library call.
 *
 * check  scripts/learn check 06 ex2
 */
#include <stdbool.h>

int predict_count(int n_gpus, int n_exported, bool asked_first, int n_named,
                  bool overwrite)
{
    //> answer
    //: (void)n_gpus, (void)n_exported, (void)asked_first, (void)overwrite;
    //: return n_named; // TODO: always?
    int n_before = n_exported < 0 ? n_gpus : n_exported;
    if (asked_first)
        return n_before;
    if (!overwrite && n_exported >= 0)
        return n_before;
    return n_named;
    //< answer
}

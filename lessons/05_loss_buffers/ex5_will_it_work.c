/* Lesson 05, exercise 5: say it before you run it.
 *
 * Scores and target live on `scores`. A CrossEntropyLoss was made with its
 * weight on the CPU (has_weight), or without one; then it was moved to `moved`.
 * Does loss_forward work? No program, no library call but device_equal:
 * predict.
 *
 * check  scripts/learn check 05 ex5
 */
#include "device/device.h" // defines: Device, device_equal
#include <stdbool.h>

bool will_it_work(bool has_weight, Device scores, Device moved)
{
    (void)has_weight, (void)scores, (void)moved;
    return false; // TODO: predict
}

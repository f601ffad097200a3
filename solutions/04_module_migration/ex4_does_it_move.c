/* Lesson 04, exercise 4: say it before you run it.
 *
 * You hold a pointer, taken while everything was on `from`. Then tensor_to (for
 * a tensor) or module_to (for what belongs to a module) is called with `to`,
 * and its result is dropped. Is what your pointer names on `to` now? No
 * program, no library call but device_equal: predict.
 *
 * A plain field is a Tensor * that a module of your own keeps in its state,
 * and that nobody registered as a parameter or as a buffer.
 *
 * check  scripts/learn check 04 ex4
 */
#include "device/device.h" // defines: Device, device_equal
#include <stdbool.h>

enum { A_TENSOR, A_PARAMETER, A_BUFFER, A_PLAIN_FIELD };

bool is_there(int held, Device from, Device to)
{
    //> answer
    //: (void)held, (void)from, (void)to;
    //: return false; // TODO: predict
    return held == A_PARAMETER || device_equal(from, to);
    //< answer
}

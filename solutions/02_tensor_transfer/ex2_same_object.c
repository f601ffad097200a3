/* Lesson 02, exercise 2: predict whether a copy is made.
 *
 * A tensor lives on `from`. Does tensor_to(x, to) return x itself?
 *
 * `to` may be the plain 'cuda' (its index is -1): the GPU that is current when
 * it is used, which cuda_current_device() tells. `from` is where a tensor
 * lives, so on a GPU it always has an index.
 *
 * check  scripts/learn check 02 ex2
 */
#include "device/device.h" // defines: Device, device_equal, device_is_cuda
#include <stdbool.h>

bool is_same_object(Device from, Device to)
{
    //> answer
    //: (void)from;
    //: (void)to;
    //: return true; // TODO: when is nothing to be done?
    if (device_is_cuda(to) && to.index < 0)
        to = device_cuda(cuda_current_device());
    return device_equal(from, to);
    //< answer
}

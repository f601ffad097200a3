/* Lesson 03, exercise 2: predict whether two tensors add.
 *
 * a lives on device_a and has dims_a dimensions, b likewise; their shapes fit
 * together. Does a + b work? Decide by thinking: the check makes the tensors
 * and compares.
 *
 * check  scripts/learn check 03 ex2
 */
#include "device/device.h" // defines: Device, device_equal, device_is_cuda
#include <stdbool.h>

bool will_it_add(Device device_a, int dims_a, Device device_b, int dims_b)
{
    //> answer
    //: (void)device_a;
    //: (void)dims_a;
    //: (void)device_b;
    //: (void)dims_b;
    //: return true; // TODO: when is it refused?
    if (device_equal(device_a, device_b))
        return true;
    bool a_joins = !device_is_cuda(device_a) && dims_a == 0;
    bool b_joins = !device_is_cuda(device_b) && dims_b == 0;
    return a_joins || b_joins;
    //< answer
}

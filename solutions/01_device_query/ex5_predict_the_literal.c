/* Lesson 01, exercise 5: predict what a name in the code does.
 *
 * A program makes a tensor on `device`, on a machine with n_gpus GPUs. What
 * happens? Return one of
 *     "works"
 *     "invalid device ordinal"
 *     "no GPU"
 * The device may be the CPU, a GPU with an index, or the plain 'cuda'
 * (its index is -1), which means the GPU that is current.
 *
 * Decide by thinking; the check makes such a tensor and compares.
 *
 * check  scripts/learn check 01 ex5
 */
#include "device/device.h" // defines: Device, device_is_cuda

const char *predict(Device device, int n_gpus)
{
    //> answer
    //: (void)device;
    //: (void)n_gpus;
    //: return ""; // TODO: which of the three?
    if (!device_is_cuda(device))
        return "works";
    if (n_gpus == 0)
        return "no GPU";
    if (device.index >= n_gpus)
        return "invalid device ordinal";
    return "works";
    //< answer
}

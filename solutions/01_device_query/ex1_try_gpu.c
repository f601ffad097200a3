/* Lesson 01, exercise 1: the GPU you want, or the CPU.
 *
 * Return the GPU with this index when there is one, and the CPU otherwise.
 * Indices count from 0. An index below 0 names no GPU: the CPU.
 *
 * check  scripts/learn check 01 ex1
 */
#include "device/device.h" // defines: Device, cuda_device_count, device_cuda

Device my_try_gpu(int index)
{
    //> answer
    //: (void)index;
    //: return device_cpu(); // TODO: the GPU, when it is there
    if (index >= 0 && index < cuda_device_count())
        return device_cuda(index);
    return device_cpu();
    //< answer
}

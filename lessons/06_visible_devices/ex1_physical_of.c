/* Lesson 06, exercise 1: which card is it really?
 *
 * A program was started with a CUDA_VISIBLE_DEVICES that is in order: it names
 * the physical GPUs visible[0] ... visible[n_visible - 1]. `current` is the
 * program's current GPU. Return the physical GPU that `device` means there, or
 * -1 when it means none: the CPU, or a GPU that this program does not have. No
 * library call is needed.
 *
 * check  scripts/learn check 06 ex1
 */
#include "device/device.h" // defines: Device, device_is_cuda

int physical_of(const int *visible, int n_visible, int current, Device device)
{
    (void)visible, (void)n_visible, (void)current;
    return device.index; // TODO: the program's index is not the machine's
}

/* Lesson 01, exercise 2: all the devices there are.
 *
 * Write every GPU to out, in the order of their indices, and return how many
 * devices you wrote. There is always at least one device to compute on:
 * without a GPU, write the CPU. Never write more than `room` devices.
 *
 * check  scripts/learn check 01 ex2
 */
#include "device/device.h" // defines: Device, cuda_device_count, device_cuda

/* out: room for at least one device */
int my_try_all_gpus(Device *out, int room)
{
    (void)out;
    (void)room;
    return 0; // TODO: all GPUs, or the CPU
}

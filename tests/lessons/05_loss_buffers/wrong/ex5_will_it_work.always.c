/* A wrong answer, kept to be recognised. */
#include "device/device.h" // defines: Device, device_equal
#include <stdbool.h>

bool will_it_work(bool has_weight, Device scores, Device moved)
{
    (void)has_weight, (void)scores, (void)moved;
    return true;
}

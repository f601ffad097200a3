/* A wrong answer, kept to be recognised: a buffer is believed to stay one
 * object. */
#include "device/device.h" // defines: Device, device_equal
#include <stdbool.h>

enum { A_TENSOR, A_PARAMETER, A_BUFFER, A_PLAIN_FIELD };

bool is_there(int held, Device from, Device to)
{
    return held == A_PARAMETER || held == A_BUFFER || device_equal(from, to);
}

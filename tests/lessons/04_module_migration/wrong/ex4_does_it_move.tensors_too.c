/* A wrong answer, kept to be recognised: a tensor is believed to move in place.
 */
#include "device/device.h" // defines: Device, device_equal
#include <stdbool.h>

enum { A_TENSOR, A_PARAMETER, A_BUFFER, A_PLAIN_FIELD };

bool is_there(int held, Device from, Device to)
{
    return held != A_PLAIN_FIELD || device_equal(from, to);
}

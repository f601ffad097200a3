/* A wrong answer, kept to be recognised: a move to the same place is forgotten.
 */
#include "device/device.h" // defines: Device, device_equal
#include <stdbool.h>

enum { A_TENSOR, A_PARAMETER, A_BUFFER, A_PLAIN_FIELD };

bool is_there(int held, Device from, Device to)
{
    return (void)from, (void)to, held == A_PARAMETER;
}

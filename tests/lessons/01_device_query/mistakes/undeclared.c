/* seeds T14: torch.device(cpu), with a name where a string belongs. */
#include "device/device.h" // defines: device_parse

void choose(Device *out);

void choose(Device *out)
{
    device_parse(cpu, out); // says: undeclared
}

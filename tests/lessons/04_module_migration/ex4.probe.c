/* seeds 4.2, seeds 3.3: parameters are kept, buffers replaced. */
#include "device/device.h" // defines: Device, device_str
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include <stdbool.h>
#include <stdio.h>

bool is_there(int held, Device from, Device to); // the student's

int main(int argc, char **argv)
{
    static const char *const names[] = {"a tensor", "a parameter", "a buffer",
                                        "a plain field"};
    probe_begin(argc, argv);
    int a = (int)probe_int(0, 7), b = (a + 1 + (int)probe_int(0, 5)) % 8;
    Device places[] = {device_cpu(), device_cuda(a), device_cuda(b)};
    for (int held = 0; held < 4; held++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                char name[128];
                snprintf(name, sizeof name,
                         "whether it is there: %s, from %s to %s", names[held],
                         device_str(places[i]).text,
                         device_str(places[j]).text);
                fact_bool(name, is_there(held, places[i], places[j]));
            }
    return probe_end();
}

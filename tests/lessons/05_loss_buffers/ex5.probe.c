/* seeds T26: what decides is whether the loss has a buffer, and where. */
#include "device/device.h" // defines: Device, device_str
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include <stdbool.h>
#include <stdio.h>

bool will_it_work(bool has_weight, Device scores, Device moved);

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    int a = (int)probe_int(0, 7), b = (a + 1 + (int)probe_int(0, 5)) % 8;
    Device places[] = {device_cpu(), device_cuda(a), device_cuda(b)};
    for (int weight = 0; weight < 2; weight++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                char name[160];
                snprintf(name, sizeof name,
                         "whether it works %s weight, scores on %s, loss on %s",
                         weight ? "with a" : "without a",
                         device_str(places[i]).text,
                         device_str(places[j]).text);
                fact_bool(name, will_it_work(weight, places[i], places[j]));
            }
    return probe_end();
}

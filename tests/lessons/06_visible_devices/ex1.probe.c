/* seeds 3.12, seeds T12, seeds T16: a logical index is a place in a list. */
#include "device/device.h" // defines: Device, device_str
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include <stdio.h>

int physical_of(const int *visible, int n_visible, int current, Device device);

int main(int argc, char **argv)
{
    enum { GPUS = 8 };
    probe_begin(argc, argv);
    int visible[GPUS];
    for (int i = 0; i < GPUS; i++) { // a random order of eight cards
        int j = (int)probe_int(0, i);
        visible[i] = visible[j];
        visible[j] = i;
    }
    int n = (int)probe_int(3, 6), current = (int)probe_int(1, n - 1);
    for (int i = -2; i <= n; i++) {
        Device device = i == -2 ? device_cpu() : device_cuda(i);
        char name[128];
        snprintf(name, sizeof name,
                 "the physical GPU of '%s', %d visible, %d current",
                 device_str(device).text, n, current);
        fact_int(name, physical_of(visible, n, current, device));
    }
    return probe_end();
}

/* seeds 2.5: try_all_gpus. */
#include "device/device.h" // defines: Device, device_cpu
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include <stdio.h>

int my_try_all_gpus(Device *out, int room); // the student's

enum { ROOM = 16 };

static void ask(int room)
{
    Device list[1 + ROOM], *out = list + 1;
    for (int i = -1; i < ROOM; i++)
        out[i] = device_cuda(999); // a mark that nobody would write
    int n = my_try_all_gpus(out, room);
    char name[64];
    snprintf(name, sizeof name, "how many you returned, with room for %d",
             room);
    fact_int(name, n);
    for (int i = 0; i < 9; i++) {
        snprintf(name, sizeof name, "device %d of the list, with room for %d",
                 i, room);
        bool written = !device_equal(out[i], device_cuda(999));
        fact_text(name, written ? device_str(out[i]).text : "not written");
    }
    snprintf(name, sizeof name, "written before the list, with room for %d",
             room);
    fact_bool(name, !device_equal(out[-1], device_cuda(999)));
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    ask(ROOM);
    ask((int)probe_int(1, 3));
    fact_status("the failure pending after your call");
    return probe_end();
}

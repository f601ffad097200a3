/* seeds T18: at least one GPU is not GPU i. seeds 2.5: try_gpu. */
#include "device/device.h" // defines: Device, cuda_device_count
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include <stdio.h>

Device my_try_gpu(int index); // the student's

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    int n = cuda_device_count();
    int asked[] = {0, 1, n, n + 2 + (int)probe_int(0, 5), (int)probe_int(0, 9),
                   -1};
    for (int i = 0; i < 6; i++) {
        char name[64];
        snprintf(name, sizeof name, "the device for index %d of %d GPUs",
                 asked[i], n);
        fact_device(name, my_try_gpu(asked[i]));
    }
    fact_status("the failure pending after your call");
    return probe_end();
}

/* seeds 1.13, seeds T23: a device's name runs or fails by the machine.
 * seeds T18: available is not enough. */
#include "base/status.h"   // defines: status_take, status_sentence
#include "device/device.h" // defines: Device, cuda_device_count, device_str
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include "tensor/create.h" // defines: tensor_ones
#include <stdio.h>
#include <string.h>

const char *predict(Device device, int n_gpus); // the student's

static const char *try_it(Device device)
{
    tensor_ones(FLOAT32, shape(2), device);
    if (status_take() == OK)
        return "works";
    if (strstr(status_sentence(), "invalid device ordinal"))
        return "invalid device ordinal";
    return "no GPU";
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    int n = cuda_device_count();
    Device devices[] = {device_cpu(),
                        device_cuda(-1),
                        device_cuda(0),
                        device_cuda(n),
                        device_cuda((int)probe_int(1, 5)),
                        device_cuda((int)probe_int(6, 12))};
    bool all_true = true;
    for (int i = 0; i < 6; i++) {
        const char *said = predict(devices[i], n);
        char name[96];
        snprintf(name, sizeof name, "your prediction for %s with %d GPUs",
                 device_str(devices[i]).text, n);
        fact_text(name, said ? said : "nothing");
        all_true = all_true && said && !strcmp(said, try_it(devices[i]));
    }
    fact_bool("all predictions came true", all_true);
    return probe_end();
}

/* seeds T15, seeds 4.3: already there is the same object. */
#include "device/device.h" // defines: cuda_set_device, device_str
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include "tensor/create.h" // defines: tensor_ones
#include "tensor/tensor.h" // defines: tensor_to
#include <stdio.h>

bool is_same_object(Device from, Device to); // the student's

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    probe_need_devices(4);
    int current = (int)probe_int(1, 3), other = (current + 1) % 4;
    cuda_set_device(current);
    Device pairs[][2] = {
        {device_cpu(), device_cpu()},
        {device_cpu(), device_cuda(current)},
        {device_cpu(), device_cuda(-1)},
        {device_cuda(current), device_cuda(current)},
        {device_cuda(current), device_cuda(-1)},
        {device_cuda(other), device_cuda(-1)},
        {device_cuda(0), device_cuda(-1)},
        {device_cuda(current), device_cuda(other)},
        {device_cuda(other), device_cpu()},
    };
    bool all_true = true;
    for (int i = 0; i < 9; i++) {
        Device from = pairs[i][0], to = pairs[i][1];
        bool said = is_same_object(from, to);
        char name[160];
        snprintf(name, sizeof name,
                 "whether it is the same object, from %s to %s, "
                 "while cuda:%d is current",
                 device_str(from).text, device_str(to).text, current);
        fact_bool(name, said);
        Tensor *x = tensor_ones(FLOAT32, shape(2), from);
        all_true = all_true && said == (tensor_to(x, to) == x);
    }
    fact_bool("all predictions came true", all_true);
    fact_int("current GPU afterwards", cuda_current_device());
    return probe_end();
}

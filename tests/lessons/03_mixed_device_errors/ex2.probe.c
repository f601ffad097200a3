/* seeds T13: both on a GPU is not enough. seeds T19: 0-dim CPU tensors join. */
#include "base/status.h"       // defines: status_take
#include "device/device.h"     // defines: device_str
#include "lesson/probe.h"      // defines: probe_*, fact_*
#include "tensor/create.h"     // defines: tensor_ones
#include "tensor/functional.h" // defines: tensor_add
#include <stdio.h>

bool will_it_add(Device device_a, int dims_a, Device device_b, int dims_b);

static Shape of(int n_dims)
{
    return n_dims == 0 ? shape_scalar() : n_dims == 1 ? shape(1) : shape(2, 1);
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    probe_need_devices(4);
    Device gpu = device_cuda((int)probe_int(1, 3));
    Device places[] = {device_cpu(), gpu, device_cuda(0)};
    bool all_true = true;
    for (int i = 0; i < 27; i++) {
        Device a = places[i % 3], b = places[i / 3 % 3];
        int dims_a = (int)probe_int(0, 2), dims_b = i / 9;
        bool said = will_it_add(a, dims_a, b, dims_b);
        char name[192];
        snprintf(name, sizeof name,
                 "whether it works: %d dims on %s + %d dims on %s", dims_a,
                 device_str(a).text, dims_b, device_str(b).text);
        fact_bool(name, said);
        tensor_add(tensor_ones(FLOAT32, of(dims_a), a),
                   tensor_ones(FLOAT32, of(dims_b), b));
        all_true = all_true && said == (status_take() == OK);
    }
    fact_bool("all predictions came true", all_true);
    return probe_end();
}

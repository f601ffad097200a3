#include "device/device.h" // defines: device_cpu
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include "tensor/create.h" // defines: tensor_arange

Tensor *squares_plus_one(Tensor *x); // the student's

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    int64_t low = probe_int(-5, -2), high = probe_int(3, 9);
    Tensor *x =
        tensor_arange(INT64, (double)low, (double)high, 1, device_cpu());
    Tensor *y = squares_plus_one(x);
    fact_status("the failure pending after your call");
    fact_tensor("result", y);
    fact_tensor("x afterwards", x);
    return probe_end();
}

/* seeds 0.9: the result stays where its input is. */
#include "device/device.h" // defines: try_gpu, cuda_device_count
#include "device/ledger.h" // defines: ledger_now, ledger_since
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include "tensor/create.h" // defines: tensor_arange

Tensor *square_on(Tensor *x, Device device); // the student's

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    int n = cuda_device_count();
    Device device = try_gpu(n > 0 ? (int)probe_int(0, n - 1) : 0);
    Tensor *x = tensor_arange(INT64, (double)probe_int(-6, 0),
                              (double)probe_int(2, 9), 1, device_cpu());
    Ledger mark = ledger_now();
    Tensor *y = square_on(x, device);
    int64_t n_launches = ledger_since(&mark).n_launches;
    fact_status("the failure pending after your call");
    fact_tensor("result", y);
    fact_int("kernels launched", n_launches);
    fact_tensor("x afterwards", x);
    return probe_end();
}

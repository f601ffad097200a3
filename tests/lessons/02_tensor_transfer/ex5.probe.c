/* seeds 3.5, seeds 1.10: transfers cost; avoid them. */
#include "device/device.h" // defines: try_gpu, cuda_device_count
#include "device/ledger.h" // defines: ledger_now, ledger_since
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include "tensor/create.h" // defines: tensor_arange

Tensor *repeat_on(Tensor *x, int n_steps, Device device); // the student's

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    int n = cuda_device_count();
    Device device = try_gpu(n > 0 ? (int)probe_int(0, n - 1) : 0);
    int n_steps = (int)probe_int(3, 20);
    Tensor *x =
        tensor_arange(FLOAT32, 0, (double)probe_int(4, 40), 1, device_cpu());
    Ledger mark = ledger_now();
    Tensor *y = repeat_on(x, n_steps, device);
    Ledger made = ledger_since(&mark);
    fact_status("the failure pending after your call");
    fact_tensor("result", y);
    fact_int("copies",
             made.host_to_device.n_copies + made.device_to_host.n_copies);
    fact_bool("a kernel ran on the GPU", made.n_launches > 0);
    fact_tensor("the tensor x, after the call", x);
    return probe_end();
}

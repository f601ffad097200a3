/* seeds 2.13, seeds T25: apart is refused; by hand, one copy a boundary. */
#include "device/device.h" // defines: device_cpu, device_cuda
#include "device/ledger.h" // defines: Ledger, ledger_now, ledger_since
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include "nn/layers.h"     // defines: linear_new
#include "tensor/create.h" // defines: manual_seed, tensor_rand

Tensor *forward_split(Module *first, Module *second, Tensor *x);

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    probe_need_devices(4);
    int a = (int)probe_int(0, 3), b = (a + (int)probe_int(1, 3)) % 4;
    int64_t n = probe_int(2, 6), width = probe_int(3, 20);
    manual_seed(probe_int(0, 1000000));
    Module *first = linear_new(n, width);
    Module *second = linear_new(width, 2);
    Tensor *x = tensor_rand(FLOAT32, shape(3, n), device_cpu());
    module_cuda(first, a);
    module_cuda(second, b);
    Ledger mark = ledger_now();
    Tensor *y = forward_split(first, second, x);
    Ledger made = ledger_since(&mark);
    fact_status("the failure pending after your call");
    fact_tensor("output", y);
    fact_int("copies between GPUs", made.peer.n_copies);
    fact_int("copies through the host",
             made.host_to_device.n_copies + made.device_to_host.n_copies);
    fact_device("where the first half is after your call",
                tensor_device(module_parameter(first, "weight")));
    fact_device("where the second half is after your call",
                tensor_device(module_parameter(second, "weight")));
    y = forward_split(first, second, tensor_cuda(x, a)); // there already
    fact_tensor("output for an input that is there", y);
    fact_status("the failure pending, for an input that is there");
    return probe_end();
}

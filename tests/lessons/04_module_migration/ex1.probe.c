/* seeds 3.3, seeds 3.16: a module is its tensors, buffers included. */
#include "device/device.h" // defines: device_cpu, device_cuda
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include "nn/layers.h"     // defines: linear_new, batch_norm_1d_new

size_t bytes_on(const Module *net, Device device); // the student's

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    probe_need_devices(3);
    int64_t n = probe_int(2, 9), m = probe_int(2, 9);
    int a = (int)probe_int(0, 2), b = (a + 1) % 3;
    Module *inner = sequential_new();
    sequential_add(inner, linear_new(n, m));
    sequential_add(inner, batch_norm_1d_new(m));
    Module *net = sequential_new();
    sequential_add(net, linear_new(n, n));
    sequential_add(net, batch_norm_1d_new(n));
    sequential_add(net, inner);
    probe_mark();
    fact_int("bytes on the CPU, before the move",
             (int64_t)bytes_on(net, device_cpu()));
    fact_copies("copies");
    module_cuda(net, a);
    module_cuda(inner, b); // children may lie elsewhere
    fact_int("bytes on the CPU, after the move",
             (int64_t)bytes_on(net, device_cpu()));
    fact_int("bytes on the outer layers' GPU",
             (int64_t)bytes_on(net, device_cuda(a)));
    fact_int("bytes on the inner layers' GPU",
             (int64_t)bytes_on(net, device_cuda(b)));
    fact_status("the failure pending after your call");
    return probe_end();
}

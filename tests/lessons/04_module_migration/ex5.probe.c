/* seeds 3.6: half the memory; beware of overflow. */
#include "device/device.h"     // defines: cuda_device_count
#include "lesson/probe.h"      // defines: probe_*, fact_*
#include "nn/layers.h"         // defines: linear_new, batch_norm_1d_new
#include "tensor/create.h"     // defines: manual_seed, tensor_full
#include "tensor/functional.h" // defines: tensor_add_real_
#include "tensor/tape.h"       // defines: tensor_detach

bool half_if_safe(Module *net); // the student's

/* A network whose numbers in one tensor are raised by `amount`. */
static void ask(const char *what, const char *name, double amount,
                Device device)
{
    Module *net = sequential_new();
    sequential_add(net, linear_new(3, 4));
    sequential_add(net, batch_norm_1d_new(4));
    Tensor *x = module_parameter(net, name);
    if (!x)
        x = module_buffer(net, name);
    tensor_add_real_(tensor_detach(x), amount);
    module_to(net, device);
    fact_bool(what, half_if_safe(net));
    fact_tensor("the changed tensor after that",
                module_parameter(net, name) ? module_parameter(net, name)
                                            : module_buffer(net, name));
    fact_int("the network's bytes", (int64_t)module_nbytes(net));
    fact_status("failure");
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    manual_seed(probe_int(0, 1000000));
    int n_gpus = cuda_device_count(), index = (int)probe_int(0, 7);
    Device device = n_gpus ? device_cuda(index) : device_cpu();
    double large = probe_real(66000, 90000);
    ask("safe with small numbers", "0.weight", probe_real(1, 9), device);
    ask("safe with numbers near the end", "0.bias", 65510, device);
    ask("safe with a large weight", "0.weight", large, device);
    ask("safe with a large negative bias", "0.bias", -large, device);
    ask("safe with a large running variance", "1.running_var", large, device);
    return probe_end();
}

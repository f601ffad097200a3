/* seeds 3.6: half the memory; beware of overflow. */
#include "device/device.h"     // defines: cuda_device_count
#include "lesson/probe.h"      // defines: probe_*, fact_*
#include "nn/layers.h"         // defines: linear_new, batch_norm_1d_new
#include "tensor/create.h"     // defines: manual_seed, tensor_full
#include "tensor/functional.h" // defines: tensor_copy_
#include "tensor/tape.h"       // defines: tensor_detach
#include <stdio.h>

bool half_if_safe(Module *net); // the student's

/* A network whose one tensor holds `number` everywhere. */
static void ask(const char *what, const char *name, double number,
                Device device)
{
    Module *net = sequential_new();
    sequential_add(net, linear_new(3, 4));
    sequential_add(net, batch_norm_1d_new(4));
    sequential_add(net, batch_norm_1d_new(4)); // a buffer is not the last
    Tensor *x = module_parameter(net, name);
    if (!x)
        x = module_buffer(net, name);
    Tensor *one = tensor_full(tensor_dtype(x), shape(), number, device_cpu());
    tensor_copy_(tensor_detach(x), one);
    module_to(net, device);
    char fact[128];
    snprintf(fact, sizeof fact, "whether it is safe, %s", what);
    fact_bool(fact, half_if_safe(net));
    snprintf(fact, sizeof fact, "that tensor after your call, %s", what);
    fact_tensor(fact, module_parameter(net, name) ? module_parameter(net, name)
                                                  : module_buffer(net, name));
    snprintf(fact, sizeof fact, "the network's bytes after your call, %s",
             what);
    fact_int(fact, (int64_t)module_nbytes(net));
    fact_status("the failure pending after your call");
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    manual_seed(probe_int(0, 1000000));
    int n_gpus = cuda_device_count(), index = (int)probe_int(0, 7);
    Device device = n_gpus ? device_cuda(index) : device_cpu();
    double large = probe_real(66000, 90000);
    ask("with small numbers", "0.weight", probe_real(1, 9), device);
    ask("with the last number", "0.bias", 65519, device);
    ask("with the last negative number", "0.bias", -65519, device);
    ask("with the first too large", "0.bias", 65520, device);
    ask("with the first too far down", "0.bias", -65520, device);
    ask("with a large weight", "0.weight", large, device);
    ask("with a large negative bias", "0.bias", -large, device);
    ask("with a large running variance", "2.running_var", large, device);
    ask("with many batches seen", "1.num_batches_tracked", 70000, device);
    return probe_end();
}

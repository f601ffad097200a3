/* seeds 3.3: a registered buffer moves with its module. */
#include "device/device.h" // defines: cuda_device_count
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include "nn/module.h"     // defines: module_to, module_forward
#include "nn/state_dict.h" // defines: module_each_state
#include "tensor/create.h" // defines: tensor_rand
#include "tensor/tape.h"   // defines: tensor_requires_grad

Module *centre_new(Tensor *mean);

static bool count(void *context, const char *name, Tensor *x)
{
    (void)name, (void)x;
    ++*(int *)context;
    return true;
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    int n_gpus = cuda_device_count();
    Device device =
        n_gpus ? device_cuda((int)probe_int(0, n_gpus - 1)) : device_cpu();
    int64_t n = probe_int(2, 5);
    manual_seed(probe_int(0, 1000000));
    Tensor *mean = tensor_rand(FLOAT32, shape(n), device_cpu());
    Tensor *input =
        tensor_to(tensor_rand(FLOAT32, shape(3, n), device_cpu()), device);
    Module *centre = centre_new(mean);
    fact_status("the failure pending after your call");
    fact_int("parameters", centre ? module_n_parameters(centre) : -1);
    fact_int("buffers", centre ? module_n_buffers(centre) : -1);
    int n_saved = 0;
    if (centre)
        module_each_state(centre, count, &n_saved);
    fact_int("tensors saved in the state dict", n_saved);
    if (centre && module_n_buffers(centre))
        fact_tensor("output", module_forward(module_to(centre, device), input));
    fact_status("the failure pending after the module was called");
    return probe_end();
}

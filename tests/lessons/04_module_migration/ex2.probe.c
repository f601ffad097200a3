/* seeds 3.14, seeds 2.16: device-transparent inference. */
#include "device/device.h" // defines: cuda_device_count
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include "nn/layers.h"     // defines: linear_new, tanh_new
#include "tensor/create.h" // defines: manual_seed, tensor_rand
#include "tensor/tape.h"   // defines: grad_enabled, tensor_requires_grad

Tensor *infer_on(Module *net, Tensor *x, Device device); // the student's

static bool recorded; // while the network ran

static Tensor *look(Module *self, Tensor *input)
{
    (void)self;
    recorded |= grad_enabled();
    return input;
}

static const ModuleType LOOK = {.name = "Look", .forward = look};

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    int n_gpus = cuda_device_count();
    int index = (int)probe_int(1, 7);
    Device device = n_gpus ? device_cuda(index) : device_cpu();
    int64_t n = probe_int(2, 6);
    manual_seed(probe_int(0, 1000000));
    Module *net = sequential_new();
    sequential_add(net, linear_new(n, 5));
    sequential_add(net, tanh_new());
    sequential_add(net, linear_new(5, 2));
    sequential_add(net, module_new(&LOOK));
    Tensor *x = tensor_rand(FLOAT32, shape(3, n), device_cpu());
    probe_mark();
    Tensor *y = infer_on(net, x, device);
    fact_copies("copies");
    fact_status("the failure pending after your call");
    fact_tensor("output", y);
    fact_device("the network's place",
                tensor_device(module_parameter(net, "2.bias")));
    fact_bool("history was recorded",
              recorded || (y && tensor_requires_grad(y)));
    fact_bool("history is recorded again", grad_enabled());
    return probe_end();
}

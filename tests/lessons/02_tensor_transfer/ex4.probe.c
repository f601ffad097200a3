/* seeds 3.6: half the memory, beware of overflow. */
#include "device/device.h" // defines: device_cuda
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include "tensor/tensor.h" // defines: tensor_new

Tensor *half_if_it_fits(Tensor *x); // the student's

static void ask(const char *name, float extreme)
{
    float numbers[6];
    for (int i = 0; i < 6; i++)
        numbers[i] = (float)probe_real(-900, 900);
    numbers[probe_choice(6)] = extreme;
    Tensor *x = tensor_new(FLOAT32, shape(6), numbers, device_cuda(0));
    Tensor *y = half_if_it_fits(x);
    fact_status("the failure pending after your call");
    fact_tensor(name, y);
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    probe_need_devices(1);
    ask("what you returned for small numbers", 1);
    ask("what you returned where one number is 70000", 70000);
    ask("what you returned where one number is -70000", -70000);
    ask("what you returned where one number is 65519", 65519);
    ask("what you returned where one number is 65520", 65520);
    ask("what you returned where one number is -65519", -65519);
    ask("what you returned where one number is -65520", -65520);
    return probe_end();
}

/* seeds 0.10, seeds 0.11: mended by moving one operand. */
#include "device/device.h" // defines: device_str, try_gpu
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include "tensor/create.h" // defines: tensor_arange, tensor_full
#include <stdio.h>

Tensor *add_anywhere(Tensor *a, Tensor *b); // the student's

static void ask(Device first, Device second)
{
    int64_t n = probe_int(2, 6);
    Tensor *a = tensor_arange(INT64, 0, (double)n, 1, first);
    Tensor *b = tensor_full(INT64, shape(n), (double)probe_int(1, 50), second);
    probe_mark();
    Tensor *sum = add_anywhere(a, b);
    fact_copies("copies");
    fact_status("the failure pending after your call");
    char name[128];
    snprintf(name, sizeof name, "the sum of a on %s and b on %s",
             device_str(first).text, device_str(second).text);
    fact_tensor(name, sum);
    fact_tensor("the tensor a, after the call", a);
    fact_tensor("the tensor b, after the call", b);
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    int i = (int)probe_int(1, 3);
    ask(try_gpu(i), device_cpu());
    ask(device_cpu(), try_gpu(i));
    ask(try_gpu(i), try_gpu(0));
    ask(try_gpu(i), try_gpu(i));
    ask(device_cpu(), device_cpu());
    return probe_end();
}

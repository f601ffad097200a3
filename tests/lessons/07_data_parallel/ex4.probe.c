/* seeds 4.10, seeds T10: the module belongs on device_ids[0]. */
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include "nn/layers.h"     // defines: linear_new
#include "probe_sim.h"     // defines: probe_sim_mark, fact_sim_link_bytes
#include "tensor/create.h" // defines: manual_seed, tensor_rand
#include "tensor/tape.h"   // defines: tensor_detach

Tensor *run_on_two(Module *net, Tensor *batch, const int *ids);

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    probe_need_devices(4);
    int first = (int)probe_int(1, 3);
    const int ids[] = {first, first == 3 ? 1 : first + 1, 0}; // two of them
    int64_t width = probe_int(2, 5);
    manual_seed(probe_int(0, 1000000));
    Module *net = linear_new(width, probe_int(1, 3));
    Tensor *batch =
        tensor_rand(FLOAT32, shape(probe_int(2, 9), width), device_cpu());
    probe_sim_mark();
    Tensor *output = run_on_two(net, batch, ids);
    fact_status("the failure pending after your call");
    fact_tensor("output", output ? tensor_detach(output) : NULL);
    Tensor *weight = module_parameter(net, "weight");
    fact_device("where the module's weight lies after your call",
                tensor_device(weight));
    fact_sim_link_bytes("bytes from the second GPU", ids[1], ids[0]);
    fact_sim_link_bytes("bytes from a third GPU", ids[2], ids[0]);
    return probe_end();
}

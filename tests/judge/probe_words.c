/* States one fact of each kind; test_probe.py reads them. With an argument
 * `--need 99` it asks for more GPUs than there are. */
#include "array/shape.h"   // defines: shape
#include "device/device.h" // defines: device_cuda
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include "probe_sim.h"     // defines: probe_sim_mark, fact_sim_*
#include "tensor/create.h" // defines: tensor_arange, tensor_full
#include "tensor/scope.h"  // defines: scope_open
#include "tensor/tensor.h" // defines: tensor_to
#include <cuda_runtime.h>
#include <math.h>

static void state_by_hand(void)
{
    char host[1000] = {0};
    void *kept = NULL, *freed = NULL;
    probe_sim_mark();
    cudaMalloc(&kept, 4096);
    cudaMalloc(&freed, 8192);
    cudaMemcpy(kept, host, 1000, cudaMemcpyHostToDevice);
    cudaMemcpy(host, kept, 10, cudaMemcpyDeviceToHost);
    cudaFree(freed);
    fact_sim_copies("copies by hand");
    fact_sim_bytes("bytes by hand");
    fact_sim_link_bytes("bytes to GPU 0", -1, 0);
    fact_sim_launches("launches by hand");
    fact_sim_held_bytes("held");
    cudaFree(kept);
    fact_sim_held_bytes("held after all");
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    probe_need_devices((int)(probe_seed() > 50 ? probe_seed() : 1));
    fact_device("device", device_cuda(7));
    fact_device("cpu", device_cpu());
    Tensor *x = tensor_arange(INT64, 0, 6, 1, device_cpu());
    probe_mark();
    Tensor *y = tensor_to(x, device_cuda(0));
    fact_copies("copies");
    fact_copied_bytes("bytes");
    fact_elapsed_ns("time");
    fact_tensor("y", y);
    fact_tensor("y again", y);
    fact_copies("copies after stating");
    fact_elapsed_ns("time again");
    fact_tensor("nan", tensor_full(FLOAT32, shape(2, 1), NAN, device_cpu()));
    fact_tensor("nothing", NULL);
    fact_status("no failure");
    (void)!tensor_to(x, device_cuda(99));
    fact_status("failure");
    fact_status("taken");
    fact_text("text", "a \"b\"\n\\ \x01");
    fact_text("null", NULL);
    fact_real("third", 1.0 / 3);
    fact_real("infinite", -INFINITY);
    fact_bool("yes", true);
    state_by_hand();
    (void)!scope_open(); // and it stays so
    return probe_end();
}

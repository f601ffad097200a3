/* seeds 3.8: a weighted loss goes where its input is. */
#include "device/device.h" // defines: try_gpu, cuda_device_count
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include "tensor/create.h" // defines: tensor_rand, tensor_randint

Tensor *weighted_loss(Tensor *scores, Tensor *target, Tensor *weight);

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    int n_gpus = cuda_device_count();
    Device device =
        n_gpus ? device_cuda((int)probe_int(0, n_gpus - 1)) : device_cpu();
    int64_t n = probe_int(3, 9), n_classes = probe_int(2, 5);
    manual_seed(probe_int(0, 1000000));
    Device cpu = device_cpu();
    Tensor *scores =
        tensor_to(tensor_rand(FLOAT32, shape(n, n_classes), cpu), device);
    Tensor *target =
        tensor_to(tensor_randint(0, n_classes, shape(n), cpu), device);
    float weights[8];
    for (int64_t c = 0; c < n_classes; c++)
        weights[c] = (float)probe_real(0.5, 4);
    Tensor *weight = tensor_new(FLOAT32, shape(n_classes), weights, cpu);
    probe_mark();
    Tensor *loss = weighted_loss(scores, target, weight);
    fact_copied_bytes("bytes copied");
    fact_status("the failure pending after your call");
    fact_tensor("loss", loss);
    fact_device("where the weight lies that you were given",
                tensor_device(weight));
    return probe_end();
}

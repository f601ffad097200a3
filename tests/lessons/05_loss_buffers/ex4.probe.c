/* seeds 1.14: the target that would cost the GPU, found before it does. */
#include "device/device.h"     // defines: cuda_device_count
#include "lesson/probe.h"      // defines: probe_*, fact_*
#include "tensor/functional.h" // defines: tensor_slice
#include "tensor/tensor.h"     // defines: tensor_new, tensor_to

int64_t first_bad_target(Tensor *target, int64_t n_classes);

static void ask(const char *name, const int64_t *classes, int64_t n,
                int64_t n_classes, Device device)
{
    Tensor *target = tensor_new(INT64, shape(n), classes, device_cpu());
    fact_int(name, first_bad_target(tensor_to(target, device), n_classes));
}

int main(int argc, char **argv)
{
    enum { N = 10 };
    probe_begin(argc, argv);
    int n_gpus = cuda_device_count();
    Device device =
        n_gpus ? device_cuda((int)probe_int(0, n_gpus - 1)) : device_cpu();
    int64_t n_classes = probe_int(2, 6), classes[N];
    for (int i = 0; i < N; i++)
        classes[i] = probe_int(0, n_classes - 1);
    probe_mark();
    ask("what you returned where all are classes", classes, N, n_classes,
        device);
    fact_copies("copies for one look");
    int64_t at = probe_int(0, N - 1), kept = classes[at];
    classes[at] = n_classes;
    ask("what you returned where one is just too large", classes, N, n_classes,
        device);
    classes[at] = -1;
    ask("what you returned where one is negative", classes, N, n_classes,
        device);
    classes[at] = kept;
    classes[N - 1] = n_classes + 5;
    classes[N - 2] = -7;
    ask("what you returned where two are wrong", classes, N, n_classes, device);
    int64_t longer[N + 1];
    for (int i = 0; i <= N; i++)
        longer[i] = i < N ? (int64_t)i % n_classes : -1;
    Tensor *row = tensor_new(INT64, shape(N + 1), longer, device_cpu());
    fact_int("what you returned where a wrong one lies behind the last",
             first_bad_target(tensor_slice(row, 0, 0, N), n_classes));
    fact_status("the failure pending after your call");
    return probe_end();
}

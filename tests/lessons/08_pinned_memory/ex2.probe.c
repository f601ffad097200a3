#include "device/ledger.h"     // defines: ledger_now, ledger_since
#include "lesson/probe.h"      // defines: probe_*, fact_*
#include "probe_sim.h"         // defines: probe_sim_fail
#include "tensor/create.h"     // defines: tensor_full
#include "tensor/functional.h" // defines: tensor_slice
#include <stddef.h>

Tensor *send_through(Tensor **buffer, Tensor *batch, Device gpu);

enum { N = 300000, BATCHES = 3, SHOWN = 4 };

/* The first and the last numbers, which tell one batch from another. */
static Tensor *ends(Tensor *x)
{
    if (!x || tensor_numel(x) != N)
        return x;
    Tensor *both[] = {tensor_slice(x, 0, 0, SHOWN),
                      tensor_slice(x, 0, N - SHOWN, N)};
    return tensor_cat(both, 2, 0);
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    probe_need_devices(2);
    Device gpu = device_cuda((int)probe_int(0, 1));
    Tensor *batches[BATCHES], *sent[BATCHES];
    for (int i = 0; i < BATCHES; i++)
        batches[i] = tensor_arange(FLOAT32, (double)(i * N),
                                   (double)((i + 1) * N), 1, device_cpu());
    tensor_mul_real_(batches[2], (double)probe_int(2, 9));
    if (cuda_synchronize(gpu.index) != OK)
        return 1;
    Tensor *buffer = NULL, *buffers[BATCHES];
    int64_t waits[BATCHES];
    for (int i = 0; i < BATCHES; i++) {
        Ledger mark = ledger_now();
        sent[i] = send_through(&buffer, batches[i], gpu);
        waits[i] = ledger_since(&mark).n_synchronizations;
        buffers[i] = buffer;
    }
    fact_status("failure");
    probe_sim_fail("cudaStreamSynchronize", cudaErrorOperatingSystem);
    Tensor *refused = send_through(&buffer, batches[0], gpu);
    probe_sim_fail(NULL, cudaSuccess);
    fact_bool("NULL when the wait fails", refused == NULL);
    fact_status("the failure of that wait");
    fact_bool("there is a buffer", buffer != NULL);
    fact_bool("the buffer is pinned", buffer && tensor_is_pinned(buffer));
    fact_bool("it is the same buffer each time",
              buffer && buffers[0] == buffer && buffers[1] == buffer);
    fact_int("waits in the first call", waits[0]);
    fact_int("waits in the later calls", waits[1] + waits[2]);
    bool apart = sent[0] && sent[1] && sent[2] && sent[0] != sent[1] &&
                 sent[1] != sent[2];
    fact_bool("each batch has a tensor of its own", apart);
    // In the order of sending, so that nothing here helps an earlier one.
    fact_tensor("ends of the first batch", ends(sent[0]));
    fact_tensor("ends of the second batch", ends(sent[1]));
    fact_tensor("ends of the third batch", ends(sent[2]));
    return probe_end();
}

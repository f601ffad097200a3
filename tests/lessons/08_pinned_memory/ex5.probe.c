#include "device/ledger.h"     // defines: ledger_now, ledger_since
#include "device/stream.h"     // defines: stream_current
#include "lesson/probe.h"      // defines: probe_*, fact_*
#include "tensor/create.h"     // defines: tensor_full
#include "tensor/functional.h" // defines: tensor_mul_real, tensor_add_real
#include <stddef.h>
#include <stdio.h>

Status overlapped(Tensor *const *batches, int n, int gpu,
                  Tensor *(*work)(Tensor *moved), Tensor **results);

enum { N = 100000, MOST = 5, STEPS = 5 };

/* About as long as the move. */
static Tensor *work(Tensor *moved)
{
    Tensor *x = moved;
    for (int i = 0; i < STEPS; i++)
        x = tensor_add_real(tensor_mul_real(x, 2), i);
    return x;
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    probe_need_devices(2);
    int gpu = (int)probe_int(0, 1), n = (int)probe_int(3, MOST);
    Tensor *batches[MOST] = {NULL}, *results[MOST] = {NULL};
    for (int i = 0; i < n; i++)
        batches[i] = tensor_pin_memory(tensor_full(
            FLOAT32, shape(N), (double)probe_int(1, 99), device_cpu()));
    Tensor *first = tensor_to(batches[0], device_cuda(gpu)); // sets CUDA up
    if (!work(first) || cuda_synchronize(gpu) != OK)
        return 1;
    Stream before = stream_current(gpu);
    Ledger mark = ledger_now();
    probe_mark();
    Status status = overlapped(batches, n, gpu, work, results);
    Ledger made = ledger_since(&mark);
    bool same_stream = stream_current(gpu).handle == before.handle;
    cuda_synchronize(gpu);
    fact_elapsed_ns("simulated ns");
    fact_bool("you returned OK", status == OK);
    fact_status("failure");
    fact_bool("the current stream is what it was", same_stream);
    fact_int("waits of the host", made.n_synchronizations);
    for (int i = 0; i < MOST; i++) {
        char name[64];
        snprintf(name, sizeof name, "mean of result %d", i);
        bool whole = results[i] && tensor_numel(results[i]) == N;
        fact_real(name, whole ? tensor_item(tensor_mean(results[i])) : -1);
        snprintf(name, sizeof name, "place of result %d", i);
        fact_text(name, results[i] ? device_str(tensor_device(results[i])).text
                                   : NULL);
    }
    return probe_end();
}

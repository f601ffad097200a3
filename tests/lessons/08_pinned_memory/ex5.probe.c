#include "device/ledger.h"     // defines: ledger_now, ledger_since
#include "device/stream.h"     // defines: stream_current
#include "lesson/probe.h"      // defines: probe_*, fact_*
#include "probe_sim.h"         // defines: fact_sim_held_streams
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

static int n_worked;

/* The second time it fails. */
static Tensor *fails(Tensor *moved)
{
    if (++n_worked != 2)
        return work(moved);
    status_fail(ERR_VALUE, "this batch cannot be worked on");
    return NULL;
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
    probe_sim_mark();
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
    status = overlapped(batches, n, gpu, fails, results);
    fact_int("what you returned when the work on a batch failed", status);
    fact_status("the failure of that work");
    fact_int("batches worked on until then", n_worked);
    fact_bool("the current stream is what it was after that failure",
              stream_current(gpu).handle == before.handle);
    fact_sim_held_streams("streams that are left");
    n_worked = 2; // it will not fail again
    probe_sim_fail("cudaStreamWaitEvent", cudaErrorOperatingSystem);
    status = overlapped(batches, n, gpu, fails, results);
    fact_int("what you returned when a wait could not be queued", status);
    fact_status("the failure of that wait");
    fact_int("batches worked on without their wait", n_worked - 2);
    probe_sim_fail("cudaStreamCreateWithFlags", cudaErrorOperatingSystem);
    status = overlapped(batches, n, gpu, work, results);
    fact_int("what you returned when there was no stream", status);
    fact_status("the failure to make a stream");
    probe_sim_fail(NULL, cudaSuccess);
    return probe_end();
}

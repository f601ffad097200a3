#include "device/ledger.h"     // defines: ledger_now, ledger_since
#include "lesson/probe.h"      // defines: probe_*, fact_*
#include "probe_sim.h"         // defines: probe_sim_fail
#include "tensor/create.h"     // defines: tensor_arange
#include "tensor/functional.h" // defines: tensor_add_real_
#include "tensor/scope.h"      // defines: scope_open, scope_close
#include <stddef.h>
#include <stdio.h>

Status all_home(Tensor *const *there, int n, Tensor **home);

enum { N = 100000, MOST = 6 };

/* Each has more than the one before, and is longer under way. */
static int numbers_of(int i)
{
    return N * (i + 1);
}

/* The last of n numbers that can be read at home, or -1. */
static double last_of(const Tensor *x, int n)
{
    if (!x || tensor_is_cuda(x) || tensor_numel(x) != n)
        return -1;
    const float *numbers = tensor_data(x);
    return numbers[n - 1];
}

/* Bring everything home once: CUDA is set up then, and pinned memory is kept
 * for the next time. */
static bool warm_up(Tensor *const *there, int n)
{
    bool done = scope_open() == OK;
    for (int i = 0; i < n && done; i++) {
        Tensor *home = tensor_to_non_blocking(there[i], device_cpu());
        done = home && cuda_synchronize(tensor_device(there[i]).index) == OK;
    }
    scope_close();
    return done;
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    probe_need_devices(4);
    int n = (int)probe_int(3, MOST);
    Tensor *there[MOST] = {NULL}, *home[MOST] = {NULL};
    for (int i = 0; i < n; i++) // more than GPUs: some hold two
        there[i] =
            tensor_arange(FLOAT32, 0, numbers_of(i), 1, device_cuda(i % 4));
    if (!warm_up(there, n))
        return 1;
    for (int i = 0; i < n; i++) // so that what is kept tells nothing
        tensor_add_real_(there[i], (double)probe_int(1, 99));
    for (int gpu = 0; gpu < 4; gpu++)
        if (cuda_synchronize(gpu) != OK)
            return 1;
    probe_mark();
    Ledger mark = ledger_now();
    Status status = all_home(there, n, home);
    double last[MOST];
    bool pinned = true;
    for (int i = 0; i < n; i++)
        pinned = pinned && home[i] && tensor_is_pinned(home[i]);
    for (int i = 0; i < MOST; i++)
        last[i] = last_of(home[i], numbers_of(i));
    Ledger made = ledger_since(&mark);
    fact_elapsed_ns("simulated ns");
    fact_bool("you returned OK", status == OK);
    fact_status("failure");
    for (int i = 0; i < MOST; i++) {
        char name[64];
        snprintf(name, sizeof name, "last number of tensor %d at home", i);
        fact_real(name, last[i]);
    }
    fact_bool("home is in pinned memory", pinned);
    fact_int("moves from a GPU", made.device_to_host.n_copies);
    probe_sim_fail("cudaMemcpyAsync", cudaErrorOperatingSystem);
    fact_bool("OK when the first move fails", all_home(there, n, home) == OK);
    fact_status("the failure of that move");
    probe_sim_fail("cudaDeviceSynchronize", cudaErrorOperatingSystem);
    fact_bool("OK when a wait fails", all_home(there, n, home) == OK);
    fact_status("the failure of that wait");
    probe_sim_fail(NULL, cudaSuccess);
    return probe_end();
}

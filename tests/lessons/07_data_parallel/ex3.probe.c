/* seeds 4.14: the main GPU collects the outputs. */
#include "device/ledger.h" // defines: ledger_now, ledger_since
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include "tensor/create.h" // defines: tensor_rand

Tensor *my_gather(Tensor *const *pieces, int n, Device device);

int main(int argc, char **argv)
{
    enum { N = 3 };
    probe_begin(argc, argv);
    probe_need_devices(4);
    int first = (int)probe_int(0, 3);
    int64_t width = probe_int(1, 4), rows = probe_int(1, 4);
    Tensor *pieces[N];
    manual_seed(probe_int(0, 1000000));
    for (int i = 0; i < N; i++)
        pieces[i] =
            tensor_to(tensor_rand(FLOAT32, shape(rows, width), device_cpu()),
                      device_cuda((first + i) % 4));
    Device device = device_cuda((first + (int)probe_int(0, 2)) % 4);
    Ledger mark = ledger_now();
    probe_mark();
    Tensor *whole = my_gather(pieces, N, device);
    Ledger made = ledger_since(&mark);
    fact_copied_bytes("bytes copied");
    fact_status("the failure pending after your call");
    fact_int("copies home", made.device_to_host.n_copies);
    fact_tensor("gathered", whole);
    fact_int("copies between GPUs", made.peer.n_copies);
    return probe_end();
}

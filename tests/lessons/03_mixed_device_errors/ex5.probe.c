#include "device/device.h" // defines: device_cuda, device_str
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include "tensor/create.h" // defines: Tensor
#include "tensor/scope.h"  // defines: scope_open, scope_close
#include <stdio.h>

Tensor *a_batch_that_fits(int64_t rows, int64_t width, Device device);

static void ask(const char *name, int64_t rows, int64_t width, Device device)
{
    scope_open();
    Tensor *batch = a_batch_that_fits(rows, width, device);
    char what[96];
    snprintf(what, sizeof what, "the failure pending after %s", name);
    fact_status(what);
    snprintf(what, sizeof what, "what you returned for %s", name);
    fact_text(what, batch ? shape_list(tensor_shape(batch)).text : "NULL");
    snprintf(what, sizeof what, "where it lives, for %s", name);
    fact_text(what, batch ? device_str(tensor_device(batch)).text : "-");
    snprintf(what, sizeof what, "its dtype, for %s", name);
    fact_text(what, batch ? dtype_name(tensor_dtype(batch)) : "-");
    scope_close();
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    const int64_t mebi = 1 << 20; // a row of so many floats is 4 MiB
    ask("a batch with room", probe_int(3, 9), mebi, device_cuda(0));
    ask("a batch of some hundred GiB", probe_int(30000, 90000), mebi,
        device_cuda(0));
    ask("a batch just too large", probe_int(4100, 8000), mebi, device_cuda(0));
    ask("two rows, of 5 GiB each", 2, mebi * 5 / 4 << 10, device_cuda(0));
    ask("one row that is too large", 3, mebi << 14, device_cuda(0));
    ask("a GPU that is not there", probe_int(30, 90), mebi, device_cuda(9));
    // Fewer rows would be had: but it is no want of room.
    ask("more rows than bytes can be counted", probe_int(3, 9) << 58, mebi,
        device_cuda(0));
    return probe_end();
}

/* Starting a kernel: a call on the CPU, a launch on a GPU's current stream. */
#include "ops/kernel.h"          // defines: Kernel, kernel_run
#include "device/clock.h"        // defines: clock_charge_host
#include "device/count.h"        // defines: ledger_count_launch
#include "device/stream.h"       // defines: device_enter, stream_current
#include "ops/kernels/failure.h" // defines: KernelFailure
#include <cuda_runtime.h>

static _Thread_local struct {
    bool pending;
    KernelFailure facts;
} failure;
/* What kernel_failed_index tells of the last run. */
static _Thread_local int64_t failed_index = -1;

void kernel_note_failure(int64_t index, const char *condition, const char *file,
                         int line, const char *kernel)
{
    failure.pending = true;
    failure.facts = (KernelFailure){index, condition, file, line, kernel};
}

bool kernel_take_failure(KernelFailure *out)
{
    bool pending = failure.pending;
    failure.pending = false;
    *out = failure.facts;
    return pending;
}

int64_t kernel_failed_index(void)
{
    return failed_index;
}

static void run_on_cpu(const Kernel *kernel, void *args)
{
    KernelFailure facts;
    kernel->on_cpu(args);
    if (kernel_take_failure(&facts))
        failed_index = facts.index;
    double flops = 0;
    double bytes = 0;
    kernel->cost(args, &flops, &bytes);
    clock_charge_host(flops, bytes);
}

static Status launch(int device, const Kernel *kernel, void *args, int64_t n)
{
    enum { BLOCK = 256, MAX_BLOCKS = 1 << 20 };
    int64_t n_blocks = (n + BLOCK - 1) / BLOCK;
    dim3 grid = {(unsigned)(n_blocks < MAX_BLOCKS ? n_blocks : MAX_BLOCKS), 1,
                 1};
    dim3 block = {BLOCK, 1, 1};
    void *arguments[] = {args};
    int before = -1;
    TRY(device_enter(device_cuda(device), &before));
    cudaError_t error =
        cudaLaunchKernel(kernel->on_cuda, grid, block, arguments, 0,
                         (cudaStream_t)stream_current(device).handle);
    device_leave(before);
    ledger_count_launch();
    return cuda_check((int)error);
}

Status kernel_run(Device device, const Kernel *kernel, void *args, int64_t n)
{
    failed_index = -1;
    if (n <= 0)
        return OK;
    if (device_is_cuda(device))
        return launch(device.index, kernel, args, n);
    run_on_cpu(kernel, args);
    return OK;
}

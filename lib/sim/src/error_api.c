/* cudaGetLastError and cudaPeekAtLastError. */
#include "call.h"             // defines: call_enter, call_leave
#include "cuda_runtime_api.h" // defines: the prototypes
#include "thread.h"           // defines: host_thread

/* Both: without a driver they keep saying so, as the real library does, for
 * each of them tries to initialise it first. */
static cudaError_t last_error(const char *name, bool clear)
{
    Call call;
    call_enter(&call, name, NEED_NOTHING, COST(call_ns));
    cudaError_t error = host_thread.last_error;
    if (!sim.machine.has_driver)
        error = cudaErrorInsufficientDriver;
    call_leave(&call, error, "%s", "");
    if (clear)
        host_thread.last_error = cudaSuccess;
    return error;
}

cudaError_t cudaGetLastError(void)
{
    return last_error("cudaGetLastError", true);
}

cudaError_t cudaPeekAtLastError(void)
{
    return last_error("cudaPeekAtLastError", false);
}

/* Versions and limits. */
#include "call.h"             // defines: call_enter, call_leave
#include "cuda_runtime_api.h" // defines: the prototypes

enum { N_LIMITS = cudaLimitPersistingL2CacheSize + 1 };

/* As on a card of compute capability 7.0; kept, and without effect. */
static size_t limits[MACHINE_MAX_GPUS][N_LIMITS];
static bool limits_set[MACHINE_MAX_GPUS][N_LIMITS];
static const size_t default_limits[N_LIMITS] = {
    [cudaLimitStackSize] = 1024,
    [cudaLimitPrintfFifoSize] = 1 << 20,
    [cudaLimitMallocHeapSize] = 8 << 20,
    [cudaLimitDevRuntimeSyncDepth] = 0,
    [cudaLimitDevRuntimePendingLaunchCount] = 2048,
    [cudaLimitMaxL2FetchGranularity] = 64,
    [cudaLimitPersistingL2CacheSize] = 0,
};

cudaError_t cudaDriverGetVersion(int *driverVersion)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaDriverGetVersion", NEED_NOTHING, COST(call_ns));
    if (driverVersion == NULL)
        error = cudaErrorInvalidValue;
    else
        *driverVersion =
            sim.machine.has_driver ? sim.machine.driver_version : 0;
    return call_leave(&call, error, "%d", sim.machine.driver_version);
}

cudaError_t cudaRuntimeGetVersion(int *runtimeVersion)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaRuntimeGetVersion", NEED_NOTHING, COST(call_ns));
    if (runtimeVersion == NULL)
        error = cudaErrorInvalidValue;
    else
        *runtimeVersion = CUDART_VERSION;
    return call_leave(&call, error, "%d", CUDART_VERSION);
}

static bool is_limit(enum cudaLimit limit)
{
    return (int)limit >= 0 && (int)limit < N_LIMITS;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaDeviceSetLimit", NEED_DEVICE, COST(call_ns));
    if (error == cudaSuccess && !is_limit(limit))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && limit == cudaLimitDevRuntimeSyncDepth)
        error = cudaErrorUnsupportedLimit;
    if (error == cudaSuccess) {
        limits[device_current()->ordinal][limit] = value;
        limits_set[device_current()->ordinal][limit] = true;
    }
    return call_leave(&call, error, "%d, %zu", (int)limit, value);
}

cudaError_t cudaDeviceGetLimit(size_t *pValue, enum cudaLimit limit)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaDeviceGetLimit", NEED_DEVICE, COST(call_ns));
    if (error == cudaSuccess && (pValue == NULL || !is_limit(limit)))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && limit == cudaLimitDevRuntimeSyncDepth)
        error = cudaErrorUnsupportedLimit;
    if (error == cudaSuccess) {
        int ordinal = device_current()->ordinal;
        *pValue = limits_set[ordinal][limit] ? limits[ordinal][limit]
                                             : default_limits[limit];
    }
    return call_leave(&call, error, "%zu, %d",
                      error == cudaSuccess ? *pValue : 0, (int)limit);
}

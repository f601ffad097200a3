/* The frame of every API call. */
#include "call.h" // defines: this file's interface

#include <stdarg.h> // defines: va_list
#include <stdio.h>  // defines: snprintf

#include "cuda_runtime_api.h" // defines: cudaGetErrorName
#include "driver.h"           // defines: driver_open
#include "fault.h"            // defines: fault_doubt
#include "inject.h"           // defines: call_injected
#include "registry.h"         // defines: registry_publish
#include "thread.h"           // defines: host_thread
#include "trace.h"            // defines: trace_call

enum { RESULT_TEXT = 96 };

static cudaError_t check(CallNeed need)
{
    if (host_thread.in_host_function)
        return cudaErrorNotPermitted;
    if (driver_is_forked())
        return cudaErrorInitializationError;
    if (!sim.machine.has_driver)
        return cudaErrorInsufficientDriver;
    if (sim.n_devices == 0)
        return cudaErrorNoDevice;
    if (need == NEED_DRIVER)
        return cudaSuccess;
    Device *device = device_current();
    device_activate(device);
    return device->sticky;
}

cudaError_t call_enter(Call *call, const char *name, CallNeed need, size_t cost)
{
    pthread_mutex_lock(&sim_lock);
    fault_doubt();
    if (!driver_is_forked())
        driver_open();
    thread_greet();
    call->name = name;
    call->begin_ns = clock_now();
    clock_charge(
        *(const int64_t *)(const void *)((const char *)&sim.machine.costs +
                                         cost));
    if (need == NEED_NOTHING)
        return cudaSuccess;
    cudaError_t error = check(need);
    return error == cudaSuccess ? call_injected(name) : error;
}

static uint64_t use_changed; // bit i: of device i, since it was published

void device_use_changed(Device *device)
{
    use_changed |= (uint64_t)1 << device->ordinal;
}

static void publish(Device *device)
{
    const GpuModel *model = device->model;
    size_t idle = model->total_bytes - model->idle_bytes - model->other_bytes;
    if (device->active || device->is_published)
        registry_publish(sim.machine.name, device->physical,
                         device->active ? idle - device_free_bytes(device) : 0);
    device->is_published = device->active;
}

/* Let smi see what this process uses now. */
static void publish_changes(void)
{
    if (driver_is_forked())
        return;
    for (int i = 0; use_changed != 0; i++) {
        uint64_t bit = (uint64_t)1 << i;
        if ((use_changed & bit) != 0)
            publish(&sim.devices[i]);
        use_changed &= ~bit;
    }
}

static void leave(const Call *call, const char *result, const char *format,
                  va_list arguments)
{
    int thread = host_thread.number - 1;
    publish_changes();
    thread_note_clock();
    if (log_is_on())
        log_call(thread, call->begin_ns, clock_now(), call->name, result,
                 format, arguments);
    if (trace_is_on())
        trace_call(thread, call->name, call->begin_ns, clock_now());
    pthread_mutex_unlock(&sim_lock);
}

cudaError_t call_leave(Call *call, cudaError_t error, const char *format, ...)
{
    char result[RESULT_TEXT] = "";
    va_list arguments;
    if (log_is_on())
        snprintf(result, sizeof result, "%d %s", (int)error,
                 cudaGetErrorName(error));
    error_record(error);
    va_start(arguments, format);
    leave(call, result, format, arguments);
    va_end(arguments);
    return error;
}

void call_leave_status(Call *call, int status, const char *status_name,
                       const char *format, ...)
{
    char result[RESULT_TEXT];
    va_list arguments;
    snprintf(result, sizeof result, "%d %s", status, status_name);
    va_start(arguments, format);
    leave(call, result, format, arguments);
    va_end(arguments);
}

/* Errors: per thread the last one, per device the one that sticks. */
#include "error.h" // defines: this file's interface

#include <stdarg.h> // defines: va_list

#include "log.h"    // defines: log_note
#include "thread.h" // defines: host_thread

cudaError_t error_record(cudaError_t error)
{
    if (error != cudaSuccess && error != cudaErrorNotReady)
        host_thread.last_error = error;
    return error;
}

void device_fault(Device *device, cudaError_t error)
{
    if (device->sticky == cudaSuccess)
        device->sticky = error;
}

void fault_note(const char *format, ...)
{
    if (!log_is_on())
        return;
    va_list arguments;
    va_start(arguments, format);
    log_note(format, arguments);
    va_end(arguments);
}

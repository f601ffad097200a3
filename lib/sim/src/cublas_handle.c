/* cuBLAS handles: making them, setting them, and the frame of every call. */
#include "cublas_handle.h" // defines: this file's interface

#include <stdarg.h> // defines: va_list
#include <stdio.h>  // defines: fprintf, vsnprintf
#include <stdlib.h> // defines: calloc, free

#include "gemm.h"   // defines: number_read, number_bytes
#include "inject.h" // defines: blas_live, call_injected
#include "memory.h" // defines: memory_name, memory_translate

enum { ARGUMENTS = 512, WORKSPACE_ALIGNMENT = 256 };

static cublasHandle_t handles; // all live ones

void blas_diagnose(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("cudasim: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

int64_t blas_live(void)
{
    int64_t n = 0;
    for (cublasHandle_t at = handles; at; at = at->next)
        n++;
    return n;
}

static bool is_live(cublasHandle_t handle)
{
    cublasHandle_t at = handles;
    while (at && at != handle)
        at = at->next;
    return at != NULL;
}

static cublasStatus_t status_of(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return CUBLAS_STATUS_SUCCESS;
    case cudaErrorInsufficientDriver:
    case cudaErrorNoDevice:
    case cudaErrorInitializationError:
        return CUBLAS_STATUS_NOT_INITIALIZED;
    case cudaErrorMemoryAllocation:
        return CUBLAS_STATUS_ALLOC_FAILED;
    default:
        return CUBLAS_STATUS_EXECUTION_FAILED;
    }
}

cublasStatus_t blas_enter_handle(BlasCall *call, const char *name,
                                 cublasHandle_t handle)
{
    call->handle = handle;
    call->device = NULL;
    call->stream = NULL;
    call_enter(&call->call, name, NEED_NOTHING, COST(call_ns));
    return is_live(handle) ? status_of(call_injected(name))
                           : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t blas_enter(BlasCall *call, const char *name,
                          cublasHandle_t handle)
{
    call->handle = handle;
    call->device = NULL;
    call->stream = NULL;
    cudaError_t error =
        call_enter(&call->call, name, NEED_DEVICE, COST(launch_ns));
    if (!is_live(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (error != cudaSuccess)
        return status_of(error);
    call->device = device_at(handle->device);
    if (call->device != device_current()) {
        blas_diagnose("%s: the handle was made for cuda:%d, but cuda:%d is the "
                      "current device; call cudaSetDevice(%d) first",
                      name, handle->device, device_current()->ordinal,
                      handle->device);
        return CUBLAS_STATUS_EXECUTION_FAILED;
    }
    call->stream = stream_of(handle->stream);
    if (!call->stream || call->stream->device != call->device) {
        blas_diagnose("%s: the handle's stream %s", name,
                      call->stream ? "belongs to another device"
                                   : "has been destroyed");
        return CUBLAS_STATUS_EXECUTION_FAILED;
    }
    if (fail_now(CUDASIM_FAIL_LIBRARY))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t blas_leave(BlasCall *call, cublasStatus_t status,
                          const char *format, ...)
{
    char text[ARGUMENTS] = "";
    if (log_is_on()) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(text, sizeof(text), format, arguments);
        va_end(arguments);
    }
    call_leave_status(&call->call, (int)status, cublasGetStatusName(status),
                      "%s", text);
    return status;
}

cublasStatus_t blas_scalar(const BlasCall *call, int number, const void *p,
                           Scalar *out)
{
    int ordinal;
    uint64_t offset;
    if (!p)
        return CUBLAS_STATUS_INVALID_VALUE;
    *out = (Scalar){0, NULL};
    if (call->handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
        out->address = p;
        return CUBLAS_STATUS_SUCCESS;
    }
    if (memory_name(p, &ordinal, &offset)) {
        blas_diagnose("%s: a scalar is in the memory of cuda:%d, but the "
                      "pointer mode is CUBLAS_POINTER_MODE_HOST",
                      call->call.name, ordinal);
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    out->value = number_read(p, (Number)number, 0);
    return CUBLAS_STATUS_SUCCESS;
}

bool blas_scalar_read(const Task *task, int number, const Scalar *scalar,
                      double *out)
{
    *out = scalar->value;
    if (!scalar->address)
        return true;
    const void *p = memory_translate(task->device, scalar->address,
                                     number_bytes((Number)number));
    if (p)
        *out = number_read(p, (Number)number, 0);
    return p != NULL;
}

cublasStatus_t blas_push(const BlasCall *call, Task *task, Rate rate,
                         double flops, double bytes, bool wait)
{
    task->engine = ENGINE_COMPUTE;
    task->duration_ns = kernel_ns(call->device, rate, flops, bytes);
    call->device->counters.n_library++;
    if (wait)
        task_hold(task);
    cudaError_t error = stream_push(call->stream, task);
    if (wait && error == cudaSuccess) {
        task_wait(task);
        error = call->device->sticky;
    }
    return status_of(error);
}

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cublasCreate", NEED_DEVICE, COST(malloc_ns));
    cublasStatus_t status = status_of(error);
    cublasHandle_t made = NULL;
    if (status == CUBLAS_STATUS_SUCCESS && !handle)
        status = CUBLAS_STATUS_INVALID_VALUE;
    if (status == CUBLAS_STATUS_SUCCESS && !(made = calloc(1, sizeof(*made))))
        status = CUBLAS_STATUS_ALLOC_FAILED;
    if (made) {
        made->device = device_current()->ordinal;
        made->next = handles;
        handles = made;
        *handle = made;
    }
    call_leave_status(&call, (int)status, cublasGetStatusName(status),
                      "handle of cuda:%d", made ? made->device : -1);
    return status;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
    BlasCall call;
    cublasStatus_t status = blas_enter_handle(&call, "cublasDestroy", handle);
    if (status == CUBLAS_STATUS_SUCCESS) {
        device_wait(device_at(handle->device));
        cublasHandle_t *link = &handles;
        while (*link != handle)
            link = &(*link)->next;
        *link = handle->next;
        free(handle);
    }
    return blas_leave(&call, status, "handle");
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version)
{
    (void)handle; // the version is the library's
    if (!version)
        return CUBLAS_STATUS_INVALID_VALUE;
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value)
{
    static const int values[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR,
                                 CUBLAS_VER_PATCH};
    if (!value || (unsigned)type > PATCH_LEVEL)
        return CUBLAS_STATUS_INVALID_VALUE;
    *value = values[type];
    return CUBLAS_STATUS_SUCCESS;
}

size_t cublasGetCudartVersion(void)
{
    return 13000;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream)
{
    BlasCall call;
    cublasStatus_t status = blas_enter_handle(&call, "cublasSetStream", handle);
    if (status == CUBLAS_STATUS_SUCCESS)
        handle->stream = stream;
    return blas_leave(&call, status, "handle, %s",
                      log_stream(LOG_TEXT, stream));
}

cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream)
{
    BlasCall call;
    cublasStatus_t status = blas_enter_handle(&call, "cublasGetStream", handle);
    if (status == CUBLAS_STATUS_SUCCESS && !stream)
        status = CUBLAS_STATUS_INVALID_VALUE;
    if (status == CUBLAS_STATUS_SUCCESS)
        *stream = handle->stream;
    return blas_leave(&call, status, "handle");
}

/* Checked, and not needed. */
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace,
                                     size_t bytes)
{
    BlasCall call;
    cublasStatus_t status =
        blas_enter_handle(&call, "cublasSetWorkspace", handle);
    if (status == CUBLAS_STATUS_SUCCESS &&
        ((uintptr_t)workspace % WORKSPACE_ALIGNMENT != 0 ||
         (!workspace && bytes > 0)))
        status = CUBLAS_STATUS_INVALID_VALUE;
    return blas_leave(&call, status, "handle, %s, %zu",
                      log_pointer(LOG_TEXT, workspace), bytes);
}

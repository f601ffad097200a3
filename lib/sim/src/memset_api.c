/* cudaMemset and its kin. */
#include <string.h> // defines: memset

#include "call.h"             // defines: call_enter, call_leave
#include "cuda_runtime_api.h" // defines: the prototypes
#include "memory.h"           // defines: memory_find, memory_translate
#include "stream.h"           // defines: stream_push

typedef struct Fill {
    void *dst;
    size_t pitch, width, height;
    int value;
} Fill;

static size_t extent(const Fill *fill)
{
    return fill->pitch * (fill->height - 1) + fill->width;
}

static cudaError_t run_fill(Task *task)
{
    const Fill *fill = task_payload(task);
    unsigned char *at = memory_bytes(fill->dst, extent(fill));
    if (at == NULL)
        return cudaErrorIllegalAddress;
    for (size_t i = 0; i < fill->height; i++)
        memset(at + i * fill->pitch, fill->value, fill->width);
    task->device->counters.n_memsets++;
    return cudaSuccess;
}

static cudaError_t fill_now(const char *name, const Fill *fill,
                            cudaStream_t handle, bool is_async)
{
    Stream *stream = stream_of(handle);
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    if (stream->device->sticky != cudaSuccess)
        return stream->device->sticky;
    if (fill->width == 0 || fill->height == 0)
        return cudaSuccess;
    const Allocation *a = memory_find(fill->dst);
    if (a == NULL || fill->pitch < fill->width ||
        (fill->height > 1 && fill->pitch > SIZE_MAX / fill->height) ||
        memory_bytes(fill->dst, extent(fill)) == NULL)
        return cudaErrorInvalidValue;
    Task *task = task_new(name, sizeof *fill);
    if (task == NULL)
        return cudaErrorMemoryAllocation;
    *(Fill *)task_payload(task) = *fill;
    task->run = run_fill;
    task->bytes = fill->width * fill->height;
    task->engine = ENGINE_COMPUTE;
    task->engine_device = a->device;
    task->duration_ns =
        kernel_ns(a->device, RATE_FLOAT32, 0, (double)task->bytes);
    task_hold(task);
    cudaError_t error = stream_push(stream, task);
    // Page-locked host memory is filled before the call returns.
    if (error == cudaSuccess && !is_async && a->kind != MEMORY_DEVICE) {
        task_wait(task);
        error = stream->device->sticky;
    }
    task_release(task);
    return error;
}

static cudaError_t fill_call(const char *name, const Fill *fill,
                             cudaStream_t stream, bool is_async)
{
    Call call;
    cudaError_t error = call_enter(&call, name, NEED_DEVICE, COST(copy_ns));
    if (error == cudaSuccess)
        error = fill_now(name, fill, stream, is_async);
    if (fill->height == 1)
        return call_leave(&call, error, "%s, %d, %zu",
                          log_pointer(LOG_TEXT, fill->dst), fill->value,
                          fill->width);
    return call_leave(&call, error, "%s, %zu, %d, %zu, %zu",
                      log_pointer(LOG_TEXT, fill->dst), fill->pitch,
                      fill->value, fill->width, fill->height);
}

cudaError_t cudaMemset(void *devPtr, int value, size_t count)
{
    Fill fill = {devPtr, count, count, 1, value};
    return fill_call("cudaMemset", &fill, cudaStreamLegacy, false);
}

cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count,
                            cudaStream_t stream)
{
    Fill fill = {devPtr, count, count, 1, value};
    return fill_call("cudaMemsetAsync", &fill, stream, true);
}

cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width,
                         size_t height)
{
    Fill fill = {devPtr, pitch, width, height, value};
    return fill_call("cudaMemset2D", &fill, cudaStreamLegacy, false);
}

cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value,
                              size_t width, size_t height, cudaStream_t stream)
{
    Fill fill = {devPtr, pitch, width, height, value};
    return fill_call("cudaMemset2DAsync", &fill, stream, true);
}

/* Device memory: cudaMalloc, cudaFree and what can be asked of a pointer. */
#include <string.h> // defines: memset

#include "call.h"             // defines: call_enter, call_leave
#include "cuda_runtime_api.h" // defines: the prototypes
#include "memory.h"           // defines: memory_take, memory_drop
#include "pool.h"             // defines: pool_return
#include "stream.h"           // defines: device_wait

enum { PITCH = 512 };

static cudaError_t take(void **p, size_t bytes)
{
    Allocation *allocation;
    if (p == NULL)
        return cudaErrorInvalidValue;
    if (bytes == 0) {
        *p = NULL;
        return cudaSuccess;
    }
    if (fail_now(CUDASIM_FAIL_MALLOC))
        return cudaErrorMemoryAllocation;
    cudaError_t error =
        memory_take(device_current(), bytes, false, &allocation);
    if (error == cudaSuccess)
        *p = (void *)allocation->base;
    return error;
}

cudaError_t cudaMalloc(void **devPtr, size_t size)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaMalloc", NEED_DEVICE, COST(malloc_ns));
    if (error == cudaSuccess)
        error = take(devPtr, size);
    return call_leave(
        &call, error, "%s, %zu",
        log_pointer(LOG_TEXT, error == cudaSuccess ? *devPtr : NULL), size);
}

cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width,
                            size_t height)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaMallocPitch", NEED_DEVICE, COST(malloc_ns));
    size_t row = (width + PITCH - 1) / PITCH * PITCH;
    if (error == cudaSuccess && pitch == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && height != 0 && row > SIZE_MAX / height)
        error = cudaErrorMemoryAllocation;
    if (error == cudaSuccess)
        error = take(devPtr, row * height);
    if (error == cudaSuccess)
        *pitch = row;
    return call_leave(
        &call, error, "%s, %zu, %zu, %zu",
        log_pointer(LOG_TEXT, error == cudaSuccess ? *devPtr : NULL), row,
        width, height);
}

/* The allocation that begins at p and is device memory of that sort, or
 * NULL: freed already, inside an allocation, or none of ours. */
static cudaError_t give_back(void *p)
{
    if (p == NULL)
        return cudaSuccess;
    Allocation *a = memory_find(p);
    if (a == NULL || a->base != (uintptr_t)p || a->kind != MEMORY_DEVICE ||
        a->freeing)
        return cudaErrorInvalidValue;
    Device *device = a->device;
    // cudaFree waits for the device, so that nothing still uses the memory.
    cudaError_t error = device_wait(device);
    if (error != cudaSuccess)
        return error;
    if (a->from_pool)
        pool_return(device, a->bytes);
    memory_drop(a);
    return cudaSuccess;
}

cudaError_t cudaFree(void *devPtr)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaFree", NEED_DEVICE, COST(free_ns));
    const char *name = log_pointer(LOG_TEXT, devPtr);
    if (error == cudaSuccess)
        error = give_back(devPtr);
    return call_leave(&call, error, "%s", name);
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaMemGetInfo", NEED_DEVICE, COST(call_ns));
    size_t free_bytes = 0;
    size_t total_bytes = 0;
    if (error == cudaSuccess && (free == NULL || total == NULL))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        *free = free_bytes = device_free_bytes(device_current());
        *total = total_bytes = device_current()->model->total_bytes;
    }
    return call_leave(&call, error, "%zu, %zu", free_bytes, total_bytes);
}

static cudaError_t describe(struct cudaPointerAttributes *out, const void *p)
{
    if (out == NULL || p == NULL)
        return cudaErrorInvalidValue;
    memset(out, 0, sizeof *out);
    const Allocation *a = memory_find(p);
    if (a != NULL && (uintptr_t)p == a->base + a->bytes)
        a = NULL; // just past it
    if (a == NULL) {
        out->type = cudaMemoryTypeUnregistered;
        out->device = cudaInvalidDeviceId;
        out->hostPointer = (void *)(uintptr_t)p;
        uint64_t offset;
        if (arena_owner((uintptr_t)p, &offset) != NULL)
            out->hostPointer = NULL; // freed device memory
        return cudaSuccess;
    }
    out->device = a->device->ordinal;
    if (a->kind == MEMORY_DEVICE) {
        out->type = cudaMemoryTypeDevice;
        if (memory_translate(device_current(), p, 0) != NULL)
            out->devicePointer = (void *)(uintptr_t)p;
    } else {
        out->type = cudaMemoryTypeHost;
        out->hostPointer = (void *)(uintptr_t)p;
        out->devicePointer = (void *)(uintptr_t)p;
    }
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *ptr)
{
    Call call;
    cudaError_t error = call_enter(&call, "cudaPointerGetAttributes",
                                   NEED_DEVICE, COST(call_ns));
    if (error == cudaSuccess)
        error = describe(attributes, ptr);
    return call_leave(&call, error, "%s", log_pointer(LOG_TEXT, ptr));
}

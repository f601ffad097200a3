/* Stream-ordered memory and the pool it comes from.
 *
 * The pool takes memory from the device in chunks and keeps what is freed
 * until a wait, where it gives back what exceeds the release threshold. Bytes
 * are counted when the calls are made; an address is given back, and its
 * bytes become junk, when its turn in the stream has come. */
#include "pool.h" // defines: this file's interface

#include <string.h> // defines: memcpy

#include "call.h"             // defines: call_enter, call_leave
#include "cuda_runtime_api.h" // defines: the prototypes
#include "memory.h"           // defines: memory_take, memory_drop
#include "schedule.h"         // defines: schedule_idle
#include "stream.h"           // defines: stream_push

enum { UNIT = 512, CHUNK_BYTES = 32 << 20, BLOCK_BYTES = 2 << 20 };

static uint64_t rounded(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static void reserve(Device *device, uint64_t bytes)
{
    device->pool.reserved = bytes;
    device_use_changed(device);
}

static void trim_to(Device *device, uint64_t keep)
{
    const Pool *pool = &device->pool;
    uint64_t target = pool->used > keep ? pool->used : keep;
    if (target < pool->reserved)
        reserve(device, rounded(target, BLOCK_BYTES));
}

void pool_trim(Device *device)
{
    trim_to(device, device->pool.release_threshold);
}

void pool_return(Device *device, size_t bytes)
{
    device->pool.used -= rounded(bytes, UNIT);
}

void pool_reset(Device *device)
{
    Pool fresh = {.reuse = {1, 1, 1}};
    device->pool = fresh;
    device_use_changed(device);
}

/* Count the bytes as used; false: the device has not so many. */
static bool pool_use(Device *device, size_t bytes)
{
    Pool *pool = &device->pool;
    uint64_t used = pool->used + rounded(bytes, UNIT);
    if (bytes > device->model->total_bytes)
        return false; // and `used` may have wrapped round
    if (used > pool->reserved) {
        uint64_t chunk = rounded(used, CHUNK_BYTES) - pool->reserved;
        uint64_t block = rounded(used, BLOCK_BYTES) - pool->reserved;
        size_t free_bytes = device_free_bytes(device);
        if (chunk <= free_bytes)
            reserve(device, pool->reserved + chunk);
        else if (block <= free_bytes)
            reserve(device, pool->reserved + block);
        else
            return false;
    }
    pool->used = used;
    if (pool->used > pool->used_high)
        pool->used_high = pool->used;
    if (pool->reserved > pool->reserved_high)
        pool->reserved_high = pool->reserved;
    return true;
}

static cudaError_t take(void **p, size_t bytes, Stream *stream)
{
    Allocation *allocation;
    if (p == NULL)
        return cudaErrorInvalidValue;
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    Device *device = stream->device;
    if (device->sticky != cudaSuccess)
        return device->sticky;
    if (!device->model->has_pools)
        return cudaErrorNotSupported;
    if (bytes == 0) {
        *p = NULL;
        return cudaSuccess;
    }
    if (fail_now(CUDASIM_FAIL_MALLOC) || !pool_use(device, bytes))
        return cudaErrorMemoryAllocation;
    cudaError_t error = memory_take(device, bytes, true, &allocation);
    if (error != cudaSuccess) {
        // This computer has no more mappings: run the frees that are queued.
        schedule_idle(device);
        error = memory_take(device, bytes, true, &allocation);
    }
    if (error == cudaSuccess) {
        error = stream_mark(stream, "cudaMallocAsync", NULL);
        if (error != cudaSuccess)
            memory_drop(allocation);
    }
    if (error != cudaSuccess) {
        pool_return(device, bytes);
        return error;
    }
    *p = (void *)allocation->base;
    return cudaSuccess;
}

cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaMallocAsync", NEED_DEVICE, COST(pool_ns));
    if (error == cudaSuccess)
        error = take(devPtr, size, stream_of(hStream));
    return call_leave(
        &call, error, "%s, %zu, %s",
        log_pointer(LOG_TEXT, error == cudaSuccess ? *devPtr : NULL), size,
        log_stream(LOG_TEXT, hStream));
}

static cudaError_t run_free(Task *task)
{
    Allocation **allocation = task_payload(task);
    memory_drop(*allocation);
    return cudaSuccess;
}

static cudaError_t give_back(void *p, Stream *stream)
{
    Allocation *a = p ? memory_find(p) : NULL;
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    if (a == NULL || a->base != (uintptr_t)p || !a->from_pool || a->freeing)
        return cudaErrorInvalidValue;
    if (a->device->sticky != cudaSuccess)
        return a->device->sticky;
    Task *task = task_new("cudaFreeAsync", sizeof a);
    if (task == NULL)
        return cudaErrorMemoryAllocation;
    *(Allocation **)task_payload(task) = a;
    task->run = run_free;
    a->freeing = true;
    pool_return(a->device, a->bytes);
    return stream_push(stream, task);
}

cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t hStream)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaFreeAsync", NEED_DEVICE, COST(pool_ns));
    const char *name = log_pointer(LOG_TEXT, devPtr);
    if (error == cudaSuccess)
        error = give_back(devPtr, stream_of(hStream));
    return call_leave(&call, error, "%s, %s", name,
                      log_stream(LOG_TEXT, hStream));
}

/* A handle is the address of a device's pool. */
Device *pool_device(cudaMemPool_t handle)
{
    for (int i = 0; i < sim.n_devices; i++)
        if ((void *)&sim.devices[i].pool == (void *)handle)
            return &sim.devices[i];
    return NULL;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device)
{
    Call call;
    cudaError_t error = call_enter(&call, "cudaDeviceGetDefaultMemPool",
                                   NEED_DRIVER, COST(call_ns));
    if (error == cudaSuccess && memPool == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && device_at(device) == NULL)
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess && !device_at(device)->model->has_pools)
        error = cudaErrorNotSupported;
    if (error == cudaSuccess)
        *memPool = (cudaMemPool_t)(void *)&device_at(device)->pool;
    return call_leave(&call, error, "%d", device);
}

/* The field behind an attribute: its size in bytes, 0 for none. */
static size_t field_of(Pool *pool, enum cudaMemPoolAttr attr, void **field)
{
    switch (attr) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        *field = &pool->reuse[attr - cudaMemPoolReuseFollowEventDependencies];
        return sizeof(int);
    case cudaMemPoolAttrReleaseThreshold:
        *field = &pool->release_threshold;
        return sizeof(uint64_t);
    case cudaMemPoolAttrReservedMemCurrent:
        *field = &pool->reserved;
        return sizeof(uint64_t);
    case cudaMemPoolAttrReservedMemHigh:
        *field = &pool->reserved_high;
        return sizeof(uint64_t);
    case cudaMemPoolAttrUsedMemCurrent:
        *field = &pool->used;
        return sizeof(uint64_t);
    case cudaMemPoolAttrUsedMemHigh:
        *field = &pool->used_high;
        return sizeof(uint64_t);
    }
    return 0;
}

static cudaError_t set_attribute(Pool *pool, enum cudaMemPoolAttr attr,
                                 const void *value)
{
    void *field;
    size_t bytes = field_of(pool, attr, &field);
    if (bytes == 0 || attr == cudaMemPoolAttrReservedMemCurrent ||
        attr == cudaMemPoolAttrUsedMemCurrent)
        return cudaErrorInvalidValue;
    bool is_high = attr == cudaMemPoolAttrReservedMemHigh ||
                   attr == cudaMemPoolAttrUsedMemHigh;
    if (!is_high) {
        memcpy(field, value, bytes);
        return cudaSuccess;
    }
    // A high-water mark can only be set to 0: it starts again from now.
    uint64_t zero;
    memcpy(&zero, value, sizeof zero);
    if (zero != 0)
        return cudaErrorInvalidValue;
    *(uint64_t *)field =
        attr == cudaMemPoolAttrReservedMemHigh ? pool->reserved : pool->used;
    return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool,
                                    enum cudaMemPoolAttr attr, void *value)
{
    Call call;
    cudaError_t error = call_enter(&call, "cudaMemPoolSetAttribute",
                                   NEED_DRIVER, COST(call_ns));
    Device *device = error == cudaSuccess ? pool_device(memPool) : NULL;
    if (error == cudaSuccess)
        error = device == NULL || value == NULL
                    ? cudaErrorInvalidValue
                    : set_attribute(&device->pool, attr, value);
    return call_leave(&call, error, "%d", (int)attr);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool,
                                    enum cudaMemPoolAttr attr, void *value)
{
    Call call;
    cudaError_t error = call_enter(&call, "cudaMemPoolGetAttribute",
                                   NEED_DRIVER, COST(call_ns));
    Device *device = error == cudaSuccess ? pool_device(memPool) : NULL;
    void *field = NULL;
    size_t bytes = device ? field_of(&device->pool, attr, &field) : 0;
    if (error == cudaSuccess && (value == NULL || bytes == 0))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        memcpy(value, field, bytes);
    return call_leave(&call, error, "%d", (int)attr);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaMemPoolTrimTo", NEED_DRIVER, COST(call_ns));
    Device *device = error == cudaSuccess ? pool_device(memPool) : NULL;
    if (error == cudaSuccess && device == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        trim_to(device, minBytesToKeep);
    return call_leave(&call, error, "%zu", minBytesToKeep);
}

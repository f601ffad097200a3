/* Where the bytes come from: the host's heap, a GPU's memory pool. */
#include "device/memory.h" // defines: memory_new, memory_free
#include "device/count.h"  // defines: ledger_count_allocation
#include "device/ledger.h" // defines: LEDGER_MAX_DEVICES
#include "device/stream.h" // defines: device_enter, stream_current
#include <cuda_runtime.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What we know and count of one GPU. */
typedef struct Pool {
    int asked;            // was the GPU asked whether it has pools?
    cudaMemPool_t handle; // NULL: it has none
    size_t used_bytes;    // held by storages of this process
} Pool;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Pool pools[LEDGER_MAX_DEVICES];

/* Told at its first use to keep what is freed: giving memory back to the driver
 * at each wait is slow. */
Status memory_pool(int device, void **out)
{
    pthread_mutex_lock(&lock);
    Pool *pool = &pools[device];
    cudaError_t error = cudaSuccess;
    if (!pool->asked) {
        int supported = 0;
        error = cudaDeviceGetAttribute(&supported,
                                       cudaDevAttrMemoryPoolsSupported, device);
        cudaMemPool_t handle = NULL;
        if (error == cudaSuccess && supported)
            error = cudaDeviceGetDefaultMemPool(&handle, device);
        uint64_t keep = UINT64_MAX;
        if (error == cudaSuccess && handle)
            error = cudaMemPoolSetAttribute(
                handle, cudaMemPoolAttrReleaseThreshold, &keep);
        if (error == cudaSuccess) {
            pool->handle = handle;
            pool->asked = 1;
        }
    }
    *out = pool->handle;
    pthread_mutex_unlock(&lock);
    return cuda_check((int)error);
}

static cudaError_t allocate(int device, cudaMemPool_t pool, size_t n_bytes,
                            void **out)
{
    if (!pool)
        return cudaMalloc(out, n_bytes);
    return cudaMallocAsync(out, n_bytes,
                           (cudaStream_t)stream_current(device).handle);
}

typedef struct SizeText {
    char text[32];
} SizeText;

/* As PyTorch prints sizes: "512 bytes", "10.44 MiB", "31.75 GiB". */
static SizeText size_text(size_t n_bytes)
{
    SizeText out;
    double n = (double)n_bytes;
    if (n_bytes <= 1024)
        snprintf(out.text, sizeof out.text, "%zu bytes", n_bytes);
    else if (n_bytes <= (size_t)1 << 20)
        snprintf(out.text, sizeof out.text, "%.2f KiB", n / 1024);
    else if (n_bytes <= (size_t)1 << 30)
        snprintf(out.text, sizeof out.text, "%.2f MiB", n / 1048576);
    else
        snprintf(out.text, sizeof out.text, "%.2f GiB", n / 1073741824);
    return out;
}

static Status out_of_memory(int device, cudaMemPool_t pool, size_t n_bytes)
{
    size_t free_bytes = 0;
    size_t total_bytes = 0;
    TRY(cuda_check((int)cudaMemGetInfo(&free_bytes, &total_bytes)));
    pthread_mutex_lock(&lock);
    size_t used_bytes = pools[device].used_bytes;
    pthread_mutex_unlock(&lock);
    uint64_t reserved_bytes = used_bytes;
    if (pool)
        TRY(cuda_check((int)cudaMemPoolGetAttribute(
            pool, cudaMemPoolAttrReservedMemCurrent, &reserved_bytes)));
    return status_fail(
        ERR_MEMORY,
        "CUDA out of memory. Tried to allocate %s (GPU %d; %s total capacity; "
        "%s already allocated; %s free; %s reserved in total by PyTorch) If "
        "reserved memory is >> allocated memory try setting max_split_size_mb "
        "to avoid fragmentation.  See documentation for Memory Management and "
        "PYTORCH_CUDA_ALLOC_CONF",
        size_text(n_bytes).text, device, size_text(total_bytes).text,
        size_text(used_bytes).text, size_text(free_bytes).text,
        size_text((size_t)reserved_bytes).text);
}

/* The device is current. */
static Status new_on_gpu(int device, size_t n_bytes, void **out)
{
    void *lent = NULL;
    TRY(memory_pool(device, &lent));
    cudaMemPool_t pool = (cudaMemPool_t)lent;
    cudaError_t error = allocate(device, pool, n_bytes, out);
    if (error == cudaErrorMemoryAllocation && pool) {
        // Let the pool give back what it keeps, once that is no longer used.
        cudaGetLastError();
        TRY(cuda_check((int)cudaDeviceSynchronize()));
        TRY(cuda_check((int)cudaMemPoolTrimTo(pool, 0)));
        error = allocate(device, pool, n_bytes, out);
    }
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        return out_of_memory(device, pool, n_bytes);
    }
    TRY(cuda_check((int)error));
    pthread_mutex_lock(&lock);
    pools[device].used_bytes += n_bytes;
    pthread_mutex_unlock(&lock);
    ledger_count_allocation();
    return OK;
}

static Status new_on_host(size_t n_bytes, void **out)
{
    void *data = NULL;
    if (posix_memalign(&data, MEMORY_LINE, n_bytes) != 0)
        return status_fail(ERR_MEMORY,
                           "DefaultCPUAllocator: can't allocate memory: you "
                           "tried to allocate %zu bytes. Error code 12 (Cannot "
                           "allocate memory)",
                           n_bytes);
#ifndef NDEBUG
    memset(data, MEMORY_JUNK, n_bytes);
#endif
    *out = data;
    return OK;
}

Status memory_new(Device device, size_t n_bytes, void **out)
{
    if (device.kind == DEVICE_CPU)
        return new_on_host(n_bytes, out);
    int before = -1;
    TRY(device_enter(device, &before));
    Status status = new_on_gpu(device.index, n_bytes, out);
    device_leave(before);
    return status;
}

void memory_free(Device device, void *data, size_t n_bytes)
{
    if (device.kind == DEVICE_CPU) {
        free(data);
        return;
    }
    pthread_mutex_lock(&lock);
    Pool *pool = &pools[device.index];
    bool pooled = pool->handle != NULL;
    pool->used_bytes -= n_bytes;
    pthread_mutex_unlock(&lock);
    // No TRY: after a fault CUDA refuses everything, and the memory is the
    // least of our worries. The failure on record stays as it is.
    int before = 0;
    if (cudaGetDevice(&before) != cudaSuccess ||
        cudaSetDevice(device.index) != cudaSuccess) {
        cudaFree(data); // waits, and asks for no current device
        cudaGetLastError();
        return;
    }
    if (pooled)
        cudaFreeAsync(data, (cudaStream_t)stream_current(device.index).handle);
    else
        cudaFree(data);
    if (before != device.index)
        cudaSetDevice(before);
}

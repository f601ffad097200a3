/* Page-locked host memory. Its bytes are the host's own, at their own
 * address; every device may reach them. */
#include <stdlib.h> // defines: posix_memalign, free
#include <string.h> // defines: memset

#include "call.h"             // defines: call_enter, call_leave
#include "cuda_runtime_api.h" // defines: the prototypes
#include "memory.h"           // defines: memory_enter, memory_find
#include "stream.h"           // defines: device_wait

enum { ALIGNMENT = 4096 };

static void charge_pinning(size_t bytes)
{
    double ns = (double)bytes * sim.machine.costs.host_malloc_ns_per_byte;
    clock_charge((int64_t)ns);
}

static cudaError_t take(void **p, size_t bytes, unsigned flags)
{
    const unsigned known = cudaHostAllocPortable | cudaHostAllocMapped |
                           cudaHostAllocWriteCombined;
    if (p == NULL || (flags & ~known) != 0)
        return cudaErrorInvalidValue;
    if (bytes == 0) {
        *p = NULL;
        return cudaSuccess;
    }
    if (fail_now(CUDASIM_FAIL_HOST))
        return cudaErrorMemoryAllocation;
    void *host = NULL;
    if (bytes > SIZE_MAX / 2 || posix_memalign(&host, ALIGNMENT, bytes) != 0)
        return cudaErrorMemoryAllocation;
    memset(host, 0, bytes); // pages fresh from the system are
    cudaError_t error =
        memory_enter(device_current(), host, bytes, MEMORY_PINNED, flags);
    if (error != cudaSuccess) {
        free(host);
        return error;
    }
    charge_pinning(bytes);
    *p = host;
    return cudaSuccess;
}

static cudaError_t host_alloc(const char *name, void **p, size_t bytes,
                              unsigned flags)
{
    Call call;
    cudaError_t error =
        call_enter(&call, name, NEED_DEVICE, COST(host_malloc_ns));
    if (error == cudaSuccess)
        error = take(p, bytes, flags);
    return call_leave(&call, error, "%s, %zu, %#x",
                      log_pointer(LOG_TEXT, error == cudaSuccess ? *p : NULL),
                      bytes, flags);
}

cudaError_t cudaMallocHost(void **ptr, size_t size)
{
    return host_alloc("cudaMallocHost", ptr, size, cudaHostAllocDefault);
}

cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags)
{
    return host_alloc("cudaHostAlloc", pHost, size, flags);
}

/* Nothing may still copy from or to memory that is about to go. */
static cudaError_t wait_for_all(void)
{
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < sim.n_devices; i++) {
        cudaError_t one =
            sim.devices[i].active ? device_wait(&sim.devices[i]) : cudaSuccess;
        if (error == cudaSuccess && &sim.devices[i] == device_current())
            error = one;
    }
    return error;
}

static cudaError_t give_back(void *p, MemoryKind kind, cudaError_t otherwise)
{
    Allocation *a = memory_find(p);
    if (a == NULL || a->base != (uintptr_t)p || a->kind != kind)
        return otherwise;
    cudaError_t error = wait_for_all();
    memory_drop(a);
    if (kind == MEMORY_PINNED)
        free(p);
    return error;
}

cudaError_t cudaFreeHost(void *ptr)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaFreeHost", NEED_DEVICE, COST(free_ns));
    if (error == cudaSuccess && ptr != NULL)
        error = give_back(ptr, MEMORY_PINNED, cudaErrorInvalidValue);
    return call_leave(&call, error, "%s", "host");
}

static cudaError_t enter(void *p, size_t bytes, unsigned flags)
{
    const unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped |
                           cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    uint64_t offset;
    if (p == NULL || bytes == 0 || (flags & ~known) != 0 ||
        arena_owner((uintptr_t)p, &offset) != NULL)
        return cudaErrorInvalidValue;
    const Allocation *next = memory_next((uintptr_t)p);
    if (next != NULL && next->base < (uintptr_t)p + bytes &&
        next->base + next->bytes > (uintptr_t)p)
        return cudaErrorHostMemoryAlreadyRegistered;
    if (fail_now(CUDASIM_FAIL_HOST))
        return cudaErrorMemoryAllocation;
    charge_pinning(bytes);
    return memory_enter(device_current(), p, bytes, MEMORY_REGISTERED, flags);
}

cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags)
{
    Call call;
    cudaError_t error = call_enter(&call, "cudaHostRegister", NEED_DEVICE,
                                   COST(host_malloc_ns));
    if (error == cudaSuccess)
        error = enter(ptr, size, flags);
    return call_leave(&call, error, "%s, %zu, %#x", "host", size, flags);
}

cudaError_t cudaHostUnregister(void *ptr)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaHostUnregister", NEED_DEVICE, COST(free_ns));
    if (error == cudaSuccess && ptr == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error =
            give_back(ptr, MEMORY_REGISTERED, cudaErrorHostMemoryNotRegistered);
    return call_leave(&call, error, "%s", "host");
}

/* The page-locked allocation that holds p, or NULL. */
static const Allocation *page_locked(const void *p)
{
    const Allocation *a = p ? memory_find(p) : NULL;
    return a != NULL && a->kind != MEMORY_DEVICE ? a : NULL;
}

cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost,
                                     unsigned int flags)
{
    Call call;
    cudaError_t error = call_enter(&call, "cudaHostGetDevicePointer",
                                   NEED_DEVICE, COST(call_ns));
    if (error == cudaSuccess &&
        (pDevice == NULL || flags != 0 || page_locked(pHost) == NULL))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *pDevice = pHost; // one address space
    return call_leave(&call, error, "%s", "host");
}

cudaError_t cudaHostGetFlags(unsigned int *pFlags, void *pHost)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaHostGetFlags", NEED_DEVICE, COST(call_ns));
    const Allocation *a = error == cudaSuccess ? page_locked(pHost) : NULL;
    if (error == cudaSuccess && (pFlags == NULL || a == NULL))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *pFlags =
            a->flags | (a->kind == MEMORY_PINNED ? cudaHostAllocMapped : 0);
    return call_leave(&call, error, "%s", "host");
}

/* Device memory, and what else has an address that GPUs know. */
#include "memory.h" // defines: this file's interface

#include <stdlib.h> // defines: calloc, free

#include "fault.h" // defines: fault_remember
#include "table.h" // defines: table_insert

enum { SMALL_UNIT = 512 };

Allocation *memory_find(const void *p)
{
    Allocation *a = table_below((uintptr_t)p);
    if (a == NULL)
        return NULL;
    // The end of host memory may be the start of something else.
    size_t last = a->kind == MEMORY_DEVICE ? a->bytes : a->bytes - 1;
    return (uintptr_t)p - a->base <= last ? a : NULL;
}

Allocation *memory_next(uintptr_t p)
{
    Allocation *a = table_below(p);
    return a != NULL && p - a->base <= a->bytes ? a : table_above(p);
}

static size_t charged_bytes(size_t bytes)
{
    return (bytes + SMALL_UNIT - 1) / SMALL_UNIT * SMALL_UNIT;
}

/* May be a negative number, as size_t has them. */
static void charge(Device *device, size_t bytes)
{
    device->small_bytes += bytes;
    device_use_changed(device);
}

static bool has_room(const Device *device, size_t bytes)
{
    // Small allocations share 2 MiB blocks, so count what is free in theirs.
    size_t block = (size_t)2 << 20;
    size_t slack = (block - device->small_bytes % block) % block;
    return bytes <= device->model->total_bytes &&
           charged_bytes(bytes) <= device_free_bytes(device) + slack;
}

static void count_taken(Device *device, size_t bytes)
{
    CudasimDeviceCounters *c = &device->counters;
    c->n_allocations++;
    c->used_bytes += bytes;
    if (c->used_bytes > c->peak_bytes)
        c->peak_bytes = c->used_bytes;
}

cudaError_t memory_take(Device *device, size_t bytes, bool from_pool,
                        Allocation **out)
{
    if (!from_pool && !has_room(device, bytes))
        return cudaErrorMemoryAllocation;
    Allocation *a = calloc(1, sizeof *a);
    if (a == NULL)
        return cudaErrorMemoryAllocation;
    *a = (Allocation){.bytes = bytes,
                      .kind = MEMORY_DEVICE,
                      .device = device,
                      .from_pool = from_pool};
    if (!arena_take(device, bytes, &a->base, &a->offset) || !shadow_take(a)) {
        free(a);
        return cudaErrorMemoryAllocation;
    }
    if (!table_insert(a)) {
        shadow_drop(a);
        free(a);
        return cudaErrorMemoryAllocation;
    }
    if (!from_pool)
        charge(device, charged_bytes(bytes));
    count_taken(device, bytes);
    *out = a;
    return cudaSuccess;
}

cudaError_t memory_enter(Device *device, void *p, size_t bytes, MemoryKind kind,
                         unsigned flags)
{
    Allocation *a = calloc(1, sizeof *a);
    if (a == NULL)
        return cudaErrorMemoryAllocation;
    *a = (Allocation){.base = (uintptr_t)p,
                      .bytes = bytes,
                      .kind = kind,
                      .device = device,
                      .flags = flags};
    if (!table_insert(a)) {
        free(a);
        return cudaErrorMemoryAllocation;
    }
    return cudaSuccess;
}

void memory_drop(Allocation *a)
{
    table_remove(a);
    if (a->kind == MEMORY_DEVICE) {
        fault_remember(a);
        if (!a->from_pool)
            charge(a->device, -charged_bytes(a->bytes));
        a->device->counters.used_bytes -= a->bytes;
        a->device->counters.n_frees++;
        shadow_drop(a);
    }
    free(a);
}

void memory_drop_all(Device *device)
{
    for (Allocation *a = table_above(0), *next; a != NULL; a = next) {
        next = table_above(a->base);
        if (a->device == device && a->kind == MEMORY_DEVICE)
            memory_drop(a);
    }
}

static bool holds(const Allocation *a, const void *p, size_t bytes)
{
    return bytes <= a->bytes - ((uintptr_t)p - a->base);
}

/* Peer access opens cudaMalloc's memory; a pool has a list of its own. */
static bool may_reach(const Device *device, const Allocation *a)
{
    const Device *owner = a->device;
    if (owner == device)
        return true;
    if (a->from_pool)
        return (owner->pool.readers >> device->ordinal & 1) != 0;
    return (device->peers >> owner->ordinal & 1) != 0;
}

void *memory_translate(const Device *device, const void *p, size_t bytes)
{
    const Allocation *a = memory_find(p);
    if (a == NULL || !holds(a, p, bytes))
        return NULL;
    if (a->kind != MEMORY_DEVICE)
        return (void *)(uintptr_t)p;
    return may_reach(device, a) ? a->shadow + ((uintptr_t)p - a->base) : NULL;
}

void *memory_bytes(const void *p, size_t bytes)
{
    const Allocation *a = memory_find(p);
    uint64_t offset;
    if (a == NULL)
        return arena_owner((uintptr_t)p, &offset) ? NULL : (void *)(uintptr_t)p;
    if (!holds(a, p, bytes))
        return NULL;
    return a->kind == MEMORY_DEVICE ? a->shadow + ((uintptr_t)p - a->base)
                                    : (void *)(uintptr_t)p;
}

bool memory_name(const void *p, int *ordinal, uint64_t *offset)
{
    const Device *device = arena_owner((uintptr_t)p, offset);
    if (device != NULL)
        *ordinal = device->ordinal;
    return device != NULL;
}

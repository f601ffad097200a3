/* The table of allocations, sorted by address. */
#include "memory.h" // defines: this file's interface

#include <stdlib.h> // defines: malloc, realloc
#include <string.h> // defines: memmove

#include "fault.h" // defines: fault_remember

enum { SMALL_UNIT = 512 };

static Allocation **table;
static size_t n_table, table_room;

/* The index of the first allocation whose base is above p. */
static size_t index_above(uintptr_t p)
{
    size_t low = 0;
    size_t high = n_table;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table[middle]->base > p)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

Allocation *memory_find(const void *p)
{
    size_t i = index_above((uintptr_t)p);
    if (i == 0)
        return NULL;
    // The end of host memory may be the start of something else.
    Allocation *a = table[i - 1];
    size_t last = a->kind == MEMORY_DEVICE ? a->bytes : a->bytes - 1;
    return (uintptr_t)p - a->base <= last ? a : NULL;
}

Allocation *memory_next(uintptr_t p)
{
    size_t i = index_above(p);
    if (i > 0 && p - table[i - 1]->base <= table[i - 1]->bytes)
        return table[i - 1];
    return i < n_table ? table[i] : NULL;
}

static bool table_insert(Allocation *allocation)
{
    if (n_table == table_room) {
        size_t room = table_room ? 2 * table_room : 64;
        Allocation **grown = realloc(table, room * sizeof(Allocation *));
        if (grown == NULL)
            return false;
        table = grown;
        table_room = room;
    }
    size_t i = index_above(allocation->base);
    memmove(table + i + 1, table + i, (n_table - i) * sizeof *table);
    table[i] = allocation;
    n_table++;
    return true;
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
    size_t i = index_above(a->base) - 1;
    memmove(table + i, table + i + 1, (n_table - i - 1) * sizeof *table);
    n_table--;
    if (a->kind == MEMORY_DEVICE) {
        fault_remember(a);
        if (!a->from_pool)
            charge(a->device, -charged_bytes(a->bytes));
        a->device->counters.used_bytes -= a->bytes;
        a->device->counters.n_frees++;
        shadow_drop(a);
    }
    free(a);
    if (n_table == 0) {
        free(table);
        table = NULL;
        table_room = 0;
    }
}

void memory_drop_all(Device *device)
{
    for (size_t i = n_table; i > 0; i--)
        if (table[i - 1]->device == device &&
            table[i - 1]->kind == MEMORY_DEVICE)
            memory_drop(table[i - 1]);
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

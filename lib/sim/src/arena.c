/* Device addresses: ranges that are reserved and can never be followed.
 *
 * A device's addresses come from arenas, each one inaccessible mapping. They
 * are reserved as allocations ask for them, doubling from 64 MiB to 1 GiB, so
 * that little address space is taken under valgrind or `ulimit -v`; a larger
 * allocation gets an arena of its own. Arenas are never given back: an
 * address once handed out faults for ever, freed or not. Within an arena the
 * search goes on where the last one ended, so that a freed address comes back
 * late and a stale pointer is caught rather than valid again by chance.
 *
 * Each device numbers its bytes through all its arenas from 0: that number,
 * the same in every run, is what SIM_LOG prints. */
#include <stdlib.h>   // defines: malloc
#include <sys/mman.h> // defines: mmap

#include "memory.h" // defines: this file's interface

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

enum { ALIGNMENT = 512, FIRST_ARENA = 64 << 20, LAST_ARENA = 1 << 30 };

typedef struct Arena {
    Device *device;
    uintptr_t base;
    size_t bytes;
    size_t cursor; // where the next search begins, from base
    uint64_t offset;
    struct Arena *next;
} Arena;

static Arena *arenas; // newest first

static size_t rounded(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/* A hole of so many bytes between [from, to) of the arena, or 0. */
static uintptr_t find_hole(const Arena *arena, size_t from, size_t to,
                           size_t bytes)
{
    uintptr_t p = arena->base + from;
    uintptr_t end = arena->base + to;
    while (end - p >= bytes) {
        const Allocation *next = memory_next(p);
        if (next == NULL || next->base >= p + bytes)
            return p;
        // Past its end, never at it: an end must not be another's start.
        uintptr_t after = next->base + rounded(next->bytes + 1, ALIGNMENT);
        if (after >= end)
            return 0;
        p = after;
    }
    return 0;
}

static Arena *arena_new(Device *device, size_t bytes)
{
    size_t want = FIRST_ARENA;
    for (Arena *a = arenas; a != NULL; a = a->next)
        if (a->device == device && want < LAST_ARENA)
            want *= 2;
    if (want < bytes)
        want = rounded(bytes, 2 << 20);
    Arena *arena = malloc(sizeof *arena);
    if (arena == NULL)
        return NULL;
    void *base = MAP_FAILED;
    for (;; want = rounded(bytes, 2 << 20)) {
        base = mmap(NULL, want, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (base != MAP_FAILED || want <= rounded(bytes, 2 << 20))
            break;
    }
    if (base == MAP_FAILED) {
        free(arena);
        return NULL;
    }
    *arena = (Arena){.device = device,
                     .base = (uintptr_t)base,
                     .bytes = want,
                     .offset = device->next_offset,
                     .next = arenas};
    device->next_offset += want;
    arenas = arena;
    return arena;
}

bool arena_take(Device *device, size_t bytes, uintptr_t *base, uint64_t *offset)
{
    size_t need = rounded(bytes + 1, ALIGNMENT);
    Arena *arena = arenas;
    uintptr_t found = 0;
    for (; arena != NULL; arena = arena->next) {
        if (arena->device != device || arena->bytes < need)
            continue;
        found = find_hole(arena, arena->cursor, arena->bytes, need);
        if (found == 0)
            found = find_hole(arena, 0, arena->bytes, need);
        if (found != 0)
            break;
    }
    if (found == 0) {
        arena = arena_new(device, need);
        if (arena == NULL)
            return false;
        found = arena->base;
    }
    arena->cursor = found - arena->base + need;
    *base = found;
    *offset = arena->offset + (found - arena->base);
    return true;
}

Device *arena_owner(uintptr_t p, uint64_t *offset)
{
    for (const Arena *a = arenas; a != NULL; a = a->next) {
        if (p >= a->base && p - a->base < a->bytes) {
            *offset = a->offset + (p - a->base);
            return a->device;
        }
    }
    return NULL;
}

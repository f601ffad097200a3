/* Who owns which address.
 *
 * A device address lies in a reserved range that nobody can read or write
 * (arena.c); its bytes live in a mapping elsewhere with a guard page on each
 * side (shadow.c). Pinned and registered host memory is in the same table. */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include "state.h"

typedef enum MemoryKind {
    MEMORY_DEVICE,
    MEMORY_PINNED,     // cudaMallocHost, cudaHostAlloc
    MEMORY_REGISTERED, // cudaHostRegister
} MemoryKind;

typedef struct Allocation {
    uintptr_t base;
    size_t bytes;
    MemoryKind kind;
    Device *device;        // whose memory; for host memory, who pinned it
    unsigned flags;        // of cudaHostAlloc or cudaHostRegister
    unsigned char *shadow; // MEMORY_DEVICE: where the bytes are
    void *map;             // the whole mapping, guard pages included; NULL:
                           // the shadow is from the heap
    size_t map_bytes;
    uint64_t offset; // of base, in the device's own numbering
    bool from_pool;  // cudaMallocAsync
    bool freeing;    // cudaFreeAsync was called
} Allocation;

/* New device memory, full of junk.
 *
 * bytes   > 0
 * owner   the table's; memory_drop gives it back
 * errors  cudaErrorMemoryAllocation: the device has not that much left, or
 *         this computer has no address space for it
 * from_pool memory is not counted against the device here: the pool is. */
cudaError_t memory_take(Device *device, size_t bytes, bool from_pool,
                        Allocation **out);

/* Enter host memory in the table; the bytes stay the caller's. */
cudaError_t memory_enter(Device *device, void *p, size_t bytes, MemoryKind kind,
                         unsigned flags);

/* Give an allocation back and forget it. Host bytes are left alone. */
void memory_drop(Allocation *allocation);

/* All allocations of a device, for its reset. */
void memory_drop_all(Device *device);

/* The allocation that holds address p, or NULL. The end of device memory
 * counts as inside: nothing else begins there. */
Allocation *memory_find(const void *p);

/* The first allocation whose end lies beyond p, or NULL. */
Allocation *memory_next(uintptr_t p);

/* Where the n bytes at p are, for a kernel or a copy on `device`.
 *
 * Device memory: NULL unless all n bytes lie in one allocation of this
 * device, or of a peer whose access is enabled. Pinned or registered host
 * memory: p itself. Other host memory, freed or unknown addresses: NULL.
 * NULL is an illegal access (700) if a kernel did it. n may be 0. */
void *memory_translate(const Device *device, const void *p, size_t bytes);

/* The same with no regard to which device asks: for copies, which may stage
 * through the host. Pageable host memory: p itself. */
void *memory_bytes(const void *p, size_t bytes);

/* "cuda:7+0x40", by the device's own numbering. False: p is in no device's
 * address range. Freed memory has its name still. */
bool memory_name(const void *p, int *ordinal, uint64_t *offset);

/* arena.c: an address range of a device. False: no address space left. */
bool arena_take(Device *device, size_t bytes, uintptr_t *base,
                uint64_t *offset);
/* The device in whose range p lies, or NULL; *offset in its numbering. */
Device *arena_owner(uintptr_t p, uint64_t *offset);

/* shadow.c: the bytes behind an address range. */
bool shadow_take(Allocation *allocation);
void shadow_drop(Allocation *allocation);
/* Fill bytes with the junk that fresh memory holds. */
void shadow_poison(void *p, size_t bytes);

#endif

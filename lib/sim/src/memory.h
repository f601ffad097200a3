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
    void *map;             // the whole mapping, guard pages included
    size_t map_bytes;
    uint64_t offset; // of base, in the device's own numbering
    bool from_pool;  // cudaMallocAsync
    bool freeing;    // cudaFreeAsync was called
} Allocation;

/* The allocation that holds address p (its end counts as inside), or NULL. */
Allocation *memory_find(const void *p);

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

/* "cuda:7+0x40", by the device's own numbering; false if p is none of ours
 * or host memory. */
bool memory_name(const void *p, int *ordinal, uint64_t *offset);

#endif

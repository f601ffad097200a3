/* A table of handles, by address: where to look for one. */
#ifndef SIM_BUCKET_H
#define SIM_BUCKET_H

#include <stddef.h>
#include <stdint.h>

/* Which of n buckets the address falls in. Allocations and functions begin at
 * multiples of 16, so that the last bits say nothing. */
static inline size_t bucket_of(const void *address, size_t n)
{
    uintptr_t bits = (uintptr_t)address;
    return (bits >> 4 ^ bits >> 14) % n;
}

#endif

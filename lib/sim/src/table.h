/* All allocations, by address.
 *
 * A program may have a hundred thousand, on many devices, and come and go in
 * any order: each step here costs the logarithm of their number. */
#ifndef SIM_TABLE_H
#define SIM_TABLE_H

#include "memory.h"

/* The last one that begins at p or below, or NULL. */
Allocation *table_below(uintptr_t p);

/* The first one that begins above p, or NULL. */
Allocation *table_above(uintptr_t p);

/* False: no memory for it. No two begin at the same address. */
bool table_insert(Allocation *allocation);

/* It must be there; it is the caller's again. */
void table_remove(const Allocation *allocation);

#endif

/* A binary heap: the least key on top, and any entry can be taken out.
 *
 * It grows and never shrinks; memory that cannot be had ends the process, for
 * an order lost would be a wrong answer. A heap is empty when it is all zero.
 */
#ifndef SIM_HEAP_H
#define SIM_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Compared from left to right; less goes first. No two ids are equal. */
typedef struct HeapKey {
    int64_t at_ns;
    int64_t priority;
    uint64_t id;
} HeapKey;

typedef struct HeapEntry {
    HeapKey key;
    void *item;
    size_t *place; // kept at the entry's index, or NULL
} HeapEntry;

typedef struct Heap {
    HeapEntry *entries;
    size_t n, room;
} Heap;

bool heap_less(const HeapKey *a, const HeapKey *b);

/* The top, or NULL; the caller may not change it but by heap_change. */
const HeapEntry *heap_top(const Heap *heap);

void heap_add(Heap *heap, HeapKey key, void *item, size_t *place);
void heap_change(Heap *heap, size_t index, HeapKey key);
void heap_remove(Heap *heap, size_t index); // 0: the top

#endif

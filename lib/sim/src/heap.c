/* A binary heap in an array: an entry's children stand at 2i + 1, 2i + 2. */
#include "heap.h" // defines: this file's interface

#include <stdlib.h> // defines: realloc, abort

bool heap_less(const HeapKey *a, const HeapKey *b)
{
    if (a->at_ns != b->at_ns)
        return a->at_ns < b->at_ns;
    if (a->priority != b->priority)
        return a->priority < b->priority;
    return a->id < b->id;
}

const HeapEntry *heap_top(const Heap *heap)
{
    return heap->n > 0 ? &heap->entries[0] : NULL;
}

static void put(Heap *heap, size_t index, HeapEntry entry)
{
    heap->entries[index] = entry;
    if (entry.place != NULL)
        *entry.place = index;
}

/* Put an entry at the hole `index`, or where it must go from there. */
static void settle(Heap *heap, size_t index, HeapEntry entry)
{
    const HeapEntry *entries = heap->entries;
    while (index > 0 && heap_less(&entry.key, &entries[(index - 1) / 2].key)) {
        put(heap, index, entries[(index - 1) / 2]);
        index = (index - 1) / 2;
    }
    for (size_t child; (child = 2 * index + 1) < heap->n; index = child) {
        if (child + 1 < heap->n &&
            heap_less(&entries[child + 1].key, &entries[child].key))
            child++;
        if (!heap_less(&entries[child].key, &entry.key))
            break;
        put(heap, index, entries[child]);
    }
    put(heap, index, entry);
}

void heap_add(Heap *heap, HeapKey key, void *item, size_t *place)
{
    if (heap->n == heap->room) {
        size_t room = heap->room ? 2 * heap->room : 16;
        HeapEntry *grown = realloc(heap->entries, room * sizeof *grown);
        if (grown == NULL)
            abort();
        heap->entries = grown;
        heap->room = room;
    }
    heap->n++;
    settle(heap, heap->n - 1, (HeapEntry){key, item, place});
}

void heap_change(Heap *heap, size_t index, HeapKey key)
{
    HeapEntry entry = heap->entries[index];
    entry.key = key;
    settle(heap, index, entry);
}

void heap_remove(Heap *heap, size_t index)
{
    HeapEntry last = heap->entries[--heap->n];
    if (index < heap->n)
        settle(heap, index, last);
}

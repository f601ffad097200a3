/* All allocations, by address: sorted pages of them, and a sorted list of the
 * pages, so that what is moved to make room is never much.
 *
 *     pages   0x7f00…     0x7f40…     0x7f90…
 *                |           |           |
 *             a b c d     e f g       h i j k
 */
#include "table.h" // defines: this file's interface

#include <stdlib.h> // defines: malloc, realloc, free
#include <string.h> // defines: memmove

enum { PAGE_ENTRIES = 256 };

typedef struct Entry {
    uintptr_t base;
    Allocation *allocation;
} Entry;

typedef struct Page {
    size_t n; // at least 1
    Entry entries[PAGE_ENTRIES];
} Page;

static struct PageAt {
    uintptr_t first; // the base of its first entry
    Page *page;
} * pages;
static size_t n_pages, room_pages;

/* The index of the page where p belongs: the last that begins at p or below,
 * else the first. There is a page. */
static size_t page_of(uintptr_t p)
{
    size_t low = 0;
    size_t high = n_pages;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (pages[middle].first > p)
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* How many entries of the page begin at p or below. */
static size_t count_below(const Page *page, uintptr_t p)
{
    size_t low = 0;
    size_t high = page->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (page->entries[middle].base > p)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

Allocation *table_below(uintptr_t p)
{
    if (n_pages == 0)
        return NULL;
    const Page *page = pages[page_of(p)].page;
    size_t i = count_below(page, p);
    return i > 0 ? page->entries[i - 1].allocation : NULL;
}

Allocation *table_above(uintptr_t p)
{
    if (n_pages == 0)
        return NULL;
    size_t at = page_of(p);
    const Page *page = pages[at].page;
    size_t i = count_below(page, p);
    if (i < page->n)
        return page->entries[i].allocation;
    return at + 1 < n_pages ? pages[at + 1].page->entries[0].allocation : NULL;
}

/* A page of no entries yet, so that it stands at `at`; NULL without memory. */
static Page *add_page(size_t at)
{
    if (n_pages == room_pages) {
        size_t room = room_pages ? 2 * room_pages : 16;
        struct PageAt *grown = realloc(pages, room * sizeof *pages);
        if (grown == NULL)
            return NULL;
        pages = grown;
        room_pages = room;
    }
    Page *page = malloc(sizeof *page);
    if (page == NULL)
        return NULL;
    page->n = 0;
    memmove(pages + at + 1, pages + at, (n_pages - at) * sizeof *pages);
    pages[at] = (struct PageAt){.page = page};
    n_pages++;
    return page;
}

static void drop_page(size_t at)
{
    free(pages[at].page);
    n_pages--;
    memmove(pages + at, pages + at + 1, (n_pages - at) * sizeof *pages);
    if (n_pages == 0) {
        free(pages);
        pages = NULL;
        room_pages = 0;
    }
}

/* Make room in the full page `at` by a new one behind it. Addresses mostly
 * ascend: what comes last leaves the page full. */
static bool split(size_t at, bool comes_last)
{
    Page *next = add_page(at + 1);
    if (next == NULL)
        return false;
    Page *page = pages[at].page;
    size_t keep = comes_last ? PAGE_ENTRIES - 1 : PAGE_ENTRIES / 2;
    next->n = page->n - keep;
    page->n = keep;
    memcpy(next->entries, page->entries + keep, next->n * sizeof(Entry));
    pages[at + 1].first = next->entries[0].base;
    return true;
}

bool table_insert(Allocation *allocation)
{
    uintptr_t base = allocation->base;
    if (n_pages == 0 && add_page(0) == NULL)
        return false;
    size_t at = page_of(base);
    Page *page = pages[at].page;
    size_t i = count_below(page, base);
    if (page->n == PAGE_ENTRIES) {
        if (!split(at, i == PAGE_ENTRIES))
            return false;
        at = page_of(base);
        page = pages[at].page;
        i = count_below(page, base);
    }
    memmove(page->entries + i + 1, page->entries + i,
            (page->n - i) * sizeof(Entry));
    page->entries[i] = (Entry){base, allocation};
    page->n++;
    pages[at].first = page->entries[0].base;
    return true;
}

void table_remove(const Allocation *allocation)
{
    size_t at = page_of(allocation->base);
    Page *page = pages[at].page;
    size_t i = count_below(page, allocation->base) - 1;
    page->n--;
    memmove(page->entries + i, page->entries + i + 1,
            (page->n - i) * sizeof(Entry));
    if (page->n == 0)
        drop_page(at);
    else
        pages[at].first = page->entries[0].base;
}

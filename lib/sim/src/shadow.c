/* The bytes behind device addresses: junk until written, free until touched.
 *
 * A file in memory holds junk; each allocation maps it copy-on-write, as often
 * as needed, between two guard pages. Reading costs no RAM, writing a page
 * costs that page: 8 GPUs of 32 GB fit on a laptop. The end of an allocation
 * is put against its guard page, so that running past it faults.
 *
 * Small maps that are given back are kept for the next allocation of as many
 * pages, filled with junk again: the kernel takes twenty times as long to make
 * one.
 *
 * The junk is 0xFFF9 in every two bytes: not a number as float16, bfloat16,
 * float32 and float64, a large negative number as any signed integer, and
 * true as a bool. Whatever is computed from it is seen to be wrong. */
#include <stdio.h>    // defines: snprintf
#include <stdlib.h>   // defines: posix_memalign, mkstemp
#include <string.h>   // defines: memcpy
#include <sys/mman.h> // defines: mmap, memfd_create
#include <unistd.h>   // defines: write, sysconf

#include "memory.h" // defines: this file's interface

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

enum { FILE_BYTES = 16 << 20, CHUNK = 64 << 10, HEAP_LIMIT = 1 << 20 };
enum { SHADOW_ALIGNMENT = 16 };

/* Linux grants a process 65,530 mappings, malloc's included. With so many in
 * use for small allocations the next ones come from the heap, unguarded. */
enum { MAX_MAPPINGS = 48000 };

static size_t n_mappings;

/* Maps that nobody uses: the first word within the guards is the next one. */
enum { KEPT_PAGES = 16, KEPT_BYTES = 16 << 20 };

static unsigned char *kept[KEPT_PAGES + 1]; // by pages within the guards
static size_t kept_bytes;                   // of them all

static int junk_file = -1;
static size_t junk_bytes; // of the file, written so far

void shadow_poison(void *p, size_t bytes)
{
    static const unsigned char junk[2] = {0xF9, 0xFF};
    unsigned char *at = p;
    size_t done = bytes < sizeof junk ? bytes : sizeof junk;
    memcpy(at, junk, done);
    while (done < bytes) { // what is there once more, twice as long
        size_t n = bytes - done < done ? bytes - done : done;
        memcpy(at + done, at, n);
        done += n;
    }
}

static int open_junk(void)
{
#ifdef __linux__
    return memfd_create("cudasim-junk", MFD_CLOEXEC);
#else
    char name[] = "/tmp/cudasim-junk-XXXXXX";
    int file = mkstemp(name);
    if (file >= 0)
        unlink(name);
    return file;
#endif
}

/* The junk file with at least so many bytes in it; -1 without one. */
static int junk_of(size_t bytes)
{
    static unsigned char chunk[CHUNK];
    if (junk_file < 0) {
        junk_file = open_junk();
        shadow_poison(chunk, CHUNK);
    }
    while (junk_file >= 0 && junk_bytes < bytes) {
        ssize_t n = pwrite(junk_file, chunk, CHUNK, (off_t)junk_bytes);
        if (n <= 0)
            return -1;
        junk_bytes += (size_t)n;
    }
    return junk_file;
}

/* Map junk over [at, at + bytes). */
static bool cover(unsigned char *at, size_t bytes)
{
    size_t piece = bytes < FILE_BYTES ? bytes : FILE_BYTES;
    int file = junk_of(piece);
    if (file < 0)
        return false;
    for (size_t done = 0; done < bytes; done += piece) {
        size_t n = bytes - done < piece ? bytes - done : piece;
        void *p = mmap(at + done, n, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, 0);
        if (p == MAP_FAILED)
            return false;
    }
    return true;
}

/* Without guard pages, when the kernel grants no more mappings. */
static bool shadow_from_heap(Allocation *allocation)
{
    void *p = NULL;
    if (allocation->bytes > HEAP_LIMIT ||
        posix_memalign(&p, SHADOW_ALIGNMENT, allocation->bytes) != 0)
        return false;
    shadow_poison(p, allocation->bytes);
    allocation->shadow = p;
    allocation->map = NULL;
    return true;
}

static bool keep(unsigned char *map, size_t room, size_t page)
{
    if (room / page > KEPT_PAGES || kept_bytes + room > KEPT_BYTES)
        return false;
    unsigned char **list = &kept[room / page];
    memcpy(map + page, list, sizeof *list);
    *list = map;
    kept_bytes += room;
    return true;
}

static unsigned char *take_kept(size_t room, size_t page)
{
    if (room / page > KEPT_PAGES || kept[room / page] == NULL)
        return NULL;
    unsigned char **list = &kept[room / page];
    unsigned char *map = *list;
    memcpy(list, map + page, sizeof *list);
    shadow_poison(map + page, room);
    kept_bytes -= room;
    return map;
}

/* Junk between two guard pages; NULL when the kernel grants no more. */
static unsigned char *map_new(size_t room, size_t page)
{
    size_t whole = room + 2 * page;
    unsigned char *map =
        mmap(NULL, whole, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED)
        return NULL;
    if (cover(map + page, room))
        return map;
    munmap(map, whole);
    return NULL;
}

/* How many mappings the pages of an allocation and its guards take. */
static size_t mappings_of(const Allocation *allocation)
{
    return 2 + allocation->map_bytes / FILE_BYTES;
}

bool shadow_take(Allocation *allocation)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t bytes = allocation->bytes;
    if (n_mappings > MAX_MAPPINGS && shadow_from_heap(allocation))
        return true;
    size_t room = (bytes + page - 1) / page * page;
    unsigned char *map = take_kept(room, page);
    if (map == NULL)
        map = map_new(room, page);
    if (map == NULL)
        return shadow_from_heap(allocation);
    size_t used =
        (bytes + SHADOW_ALIGNMENT - 1) / SHADOW_ALIGNMENT * SHADOW_ALIGNMENT;
    allocation->map = map;
    allocation->map_bytes = room + 2 * page;
    n_mappings += mappings_of(allocation);
    allocation->shadow = map + page + (room - used);
    return true;
}

void shadow_drop(Allocation *allocation)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (allocation->map != NULL) {
        n_mappings -= mappings_of(allocation);
        if (!keep(allocation->map, allocation->map_bytes - 2 * page, page))
            munmap(allocation->map, allocation->map_bytes);
    } else {
        free(allocation->shadow);
    }
    allocation->map = NULL;
    allocation->shadow = NULL;
}

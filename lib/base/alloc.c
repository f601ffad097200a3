/* Host memory for the library's own records. */
#include "base/alloc.h"  // defines: mem_new, mem_resize, mem_free
#include "base/status.h" // defines: status_fail
#include <stdlib.h>
#include <string.h>

/* Allocations of this thread until the one that fails; 0: none will. */
static _Thread_local long fail_after;
/* Blocks taken, less blocks given back. */
static _Thread_local long n_live;

static int must_fail(void)
{
    return fail_after > 0 && --fail_after == 0;
}

static void *no_memory(size_t n_bytes)
{
    status_fail(ERR_MEMORY,
                "not enough host memory: tried to allocate %zu bytes", n_bytes);
    return NULL;
}

/* A large block comes from the system as zeros; a small one is one of those
 * that malloc keeps at hand, as calloc does not. */
static void *zeroed(size_t n_bytes)
{
    enum { SMALL = 1024 };
    if (n_bytes > SMALL)
        return calloc(1, n_bytes);
    void *block = malloc(n_bytes);
    return block ? memset(block, 0, n_bytes) : NULL;
}

void *mem_new(size_t n_bytes)
{
    void *block = must_fail() ? NULL : zeroed(n_bytes ? n_bytes : 1);
    n_live += block != NULL;
    return block ? block : no_memory(n_bytes);
}

void *mem_resize(void *block, size_t n_bytes)
{
    void *grown = must_fail() ? NULL : realloc(block, n_bytes ? n_bytes : 1);
    n_live += grown && !block;
    return grown ? grown : no_memory(n_bytes);
}

char *mem_copy_text(const char *text)
{
    size_t n_bytes = strlen(text) + 1;
    char *copy = mem_new(n_bytes);
    if (copy)
        memcpy(copy, text, n_bytes);
    return copy;
}

void mem_free(void *block)
{
    n_live -= block != NULL;
    free(block);
}

long mem_fail_after(long n)
{
    long left = fail_after;
    fail_after = n;
    return left;
}

long mem_live_count(void)
{
    return n_live;
}

/* Host memory for the library's own records (not for tensor data: that is
 * device/storage.h). Tests can make the n-th allocation fail.
 */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include "base/attributes.h" // defines: API
#include <stddef.h>

/* Zeroed memory, or NULL with ERR_MEMORY "not enough host memory …".
 * owner   the caller; give it back with mem_free
 */
API void *mem_new(size_t n_bytes);

/* Grow or shrink; on failure NULL, and the old block is unchanged. */
API void *mem_resize(void *block, size_t n_bytes);

/* A copy of a string, or NULL with ERR_MEMORY. owner: the caller. */
API char *mem_copy_text(const char *text);

/* Gives a block back. NULL is fine. */
API void mem_free(void *block);

/* For tests: the n-th allocation from now fails (1 is the next); 0 stops. Both
 * are this thread's own. Returns what was left of an earlier count: 0 when its
 * failure has come. */
API long mem_fail_after(long n);

/* For tests: how many blocks this thread has taken, less those it gave back. */
API long mem_live_count(void);

#endif

/* Bytes at a place, counted. The only room that allocates tensor data.
 *
 * GPU memory is stream-ordered (cudaMallocAsync on the device's current
 * stream). Host memory is plain, from a cache line on, its junk poisoned (that
 * of large blocks in debug builds only), or pinned.
 */
#ifndef DEVICE_STORAGE_H
#define DEVICE_STORAGE_H

#include "base/attributes.h" // defines: API
#include "base/status.h"     // defines: Status
#include "device/device.h"   // defines: Device
#include <stdbool.h>
#include <stddef.h>

typedef struct Storage Storage;

/* New, uninitialised bytes. `device` must be resolved.
 * owner   the caller holds one count
 * errors  ERR_MEMORY "CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0;
 *         31.75 GiB total capacity; …)"; NULL */
API Storage *storage_new(Device device, size_t n_bytes);

/* New, uninitialised bytes in pinned host memory.
 * owner   the caller holds one count
 * errors  ERR_CUDA there is no GPU that could use it; ERR_MEMORY; NULL */
API Storage *storage_new_pinned(size_t n_bytes);

/* A view over somebody's bytes; `release(context)` runs with the last count
 * (may be NULL: then the owner must outlive the storage). */
API Storage *storage_borrow(Device device, void *data, size_t n_bytes,
                            void (*release)(void *context), void *context);

/* Counts; neither can fail. */
API Storage *storage_retain(Storage *storage); // one more count; returns it
API void storage_release(Storage *storage);    // one count less; NULL is fine

/* What it is. The address is lent; none of these can fail. */
API void *storage_data(const Storage *storage); // a device pointer on a GPU
API size_t storage_bytes(const Storage *storage);
API Device storage_device(const Storage *storage);
/* Does it lie in page-locked host memory, ours or somebody's? */
API bool storage_is_pinned(const Storage *storage);
/* Does more than one hold a count? */
API bool storage_is_shared(const Storage *storage);

/* How often its bytes were written, as far as those who wrote said so; and to
 * say it: n times more. Neither can fail. */
API long storage_writes(const Storage *storage);
API void storage_written(Storage *storage, long n);
/* Mark the last write, for whoever must tell those before it from those after;
 * and how many there had been at the last mark, 0: none. Neither can fail. */
API void storage_mark_write(Storage *storage);
API long storage_marked_write(const Storage *storage);

/* Copy bytes between any two places. Waits as cudaMemcpy does when the host
 * takes part; between GPUs it is ordered by streams and the host goes on, and
 * the bytes go straight across where the two GPUs can (peer access is opened at
 * the first copy).
 * counted in the ledger by direction.
 * errors  ERR_CUDA, a fault of the GPU included */
API Status storage_copy(Storage *to, size_t to_offset, const Storage *from,
                        size_t from_offset, size_t n_bytes);
/* The same, but the host goes on where CUDA lets it: when the host's side is
 * pinned. Until the GPU's current stream has come to its end, what is copied
 * must not be changed, and what is copied to tells nothing. Either storage may
 * be released at once, unless somebody else owns its pinned bytes. */
API Status storage_copy_async(Storage *to, size_t to_offset,
                              const Storage *from, size_t from_offset,
                              size_t n_bytes);
/* Host memory to storage and back (for creation, item and printing).
 * errors  as storage_copy */
API Status storage_write(Storage *to, size_t to_offset, const void *from,
                         size_t n_bytes);
API Status storage_read(const Storage *from, size_t from_offset, void *to,
                        size_t n_bytes);

#endif

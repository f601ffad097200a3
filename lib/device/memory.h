/* Where the bytes come from. Only storage.c and peer.c ask.
 *
 * GPU memory comes from the device's default pool, in the order of its current
 * stream; the pool keeps what is freed. A GPU without pools gets cudaMalloc.
 */
#ifndef DEVICE_MEMORY_H
#define DEVICE_MEMORY_H

#include "base/status.h"   // defines: Status
#include "device/device.h" // defines: Device
#include <stddef.h>

enum {
    MEMORY_LINE = 64,  // host data begin at a cache line (and a widest vector)
    MEMORY_JUNK = 0xa5 // in fresh host data: makes a read before a write show
};

/* n_bytes > 0. errors  ERR_MEMORY in PyTorch's words, with real figures */
Status memory_new(Device device, size_t n_bytes, void **out);
/* In stream order on a GPU; a fault that shows here shows again later. */
void memory_free(Device device, void *data, size_t n_bytes);
/* The pool (a cudaMemPool_t, lent) that memory_new takes from on this GPU; NULL
 * where it has none. errors  ERR_CUDA */
Status memory_pool(int device, void **out);

#endif

/* Page-locked ("pinned") host memory: a GPU's copy engine reaches it by itself,
 * at the link's full rate, while the host goes on. Only storage.c asks.
 *
 * To lock pages is slow, so blocks are kept and lent again; but not before the
 * copies that were issued from or to one have ended, however early its owner
 * let it go. What is kept is given back only when there is no room for more.
 * source  CUDA Runtime API, cudaHostAlloc; PyTorch 1.13, Tensor.pin_memory
 */
#ifndef DEVICE_PINNED_H
#define DEVICE_PINNED_H

#include "base/status.h"   // defines: Status
#include "device/stream.h" // defines: Stream
#include <stddef.h>

typedef struct Pinned Pinned;

/* n_bytes > 0. errors  ERR_CUDA no GPU; ERR_MEMORY */
Status pinned_new(size_t n_bytes, Pinned **out);
/* A host address. Lent. */
void *pinned_data(const Pinned *block);
/* A copy from or to the block was issued to the stream, and not waited for.
 * errors  ERR_CUDA; the stream has been waited for instead */
Status pinned_in_use(Pinned *block, Stream stream);
/* Never waits. Cannot fail. */
void pinned_free(Pinned *block);

#endif

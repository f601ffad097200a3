/* Streams: queues of work on one GPU, in order within, independent between.
 *
 * Everything the library issues to a GPU goes to that GPU's *current stream*,
 * a choice of each host thread (the default stream until another is chosen).
 * Waiting for one another is by events, on the GPUs; the host goes on.
 *
 * Memory is given back in the order of the stream that is current when its last
 * owner lets go: let that stream wait (stream_wait) for any other that still
 * uses the bytes, or they are another tensor's while it does.
 */
#ifndef DEVICE_STREAM_H
#define DEVICE_STREAM_H

#include "base/attributes.h" // defines: API
#include "base/status.h"     // defines: Status
#include "device/device.h"   // defines: Device

/* Which queue on which GPU. handle: a cudaStream_t; NULL is the default. */
typedef struct Stream {
    int device; // ordinal
    void *handle;
} Stream;

/* A new stream on a GPU, which does not wait for the default stream.
 * owner   the caller: stream_destroy, once its work is waited for
 * errors  ERR_CUDA; *out untouched */
API Status stream_new(int device, Stream *out);
/* Lets the stream finish its work and go. Destroying a default stream does
 * nothing. */
API Status stream_destroy(Stream stream);

/* This thread's current stream on a GPU. Cannot fail. */
API Stream stream_current(int device);
/* Make it current on its GPU for this thread; returns what was before. */
API Stream stream_use(Stream stream);

/* What is issued to `waiter` from now on starts after what is already issued
 * to `other`; they may be on different GPUs. The host does not wait.
 * errors  ERR_CUDA */
API Status stream_wait(Stream waiter, Stream other);
/* The host waits until the stream is idle. errors  ERR_CUDA its faults */
API Status stream_synchronize(Stream stream);

/* Make a GPU current for a few calls: TRY(device_enter(d, &before)), then
 * device_leave(before). On the CPU nothing happens. Leaving cannot fail: a GPU
 * that does not become current again will say why at its next use.
 * errors  ERR_CUDA */
API Status device_enter(Device device, int *before);
API void device_leave(int before);

#endif

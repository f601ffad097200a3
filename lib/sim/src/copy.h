/* One copy: from where to where, over which link, at what cost. */
#ifndef SIM_COPY_H
#define SIM_COPY_H

#include "stream.h"

typedef struct Copy {
    void *dst;
    const void *src;
    size_t dst_pitch, src_pitch; // bytes from row to row
    size_t width, height;        // bytes in a row, rows
    Device *dst_device;          // NULL: the host
    Device *src_device;
    bool dst_pinned, src_pinned; // host memory that is page-locked
    unsigned char *staged;       // pageable source, taken at once; or NULL
} Copy;

/* Fill in whose memory both ends are, and hold `kind` against it.
 *
 * errors  cudaErrorInvalidMemcpyDirection: no such kind
 *         cudaErrorInvalidValue: a NULL pointer, a range that leaves its
 *         allocation, a kind that the pointers contradict
 *         cudaErrorInvalidPitchValue: a pitch below the width, or, of several
 *         rows, above memPitch
 *         a sticky error of either device */
cudaError_t copy_resolve(Copy *copy, enum cudaMemcpyKind kind);

/* Push the copy and do what the call promises to its caller.
 *
 * is_async  cudaMemcpyAsync's promises, else cudaMemcpy's: who waits for what
 *           is in the table "API synchronization behavior" of the manual */
cudaError_t copy_submit(const char *name, const Copy *copy, Stream *stream,
                        bool is_async);

#endif

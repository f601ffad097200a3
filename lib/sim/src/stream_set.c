/* Which streams there are: in order of creation, by handle, and those whose
 * work may not have ended. A program may have thousands, most of them idle. */
#include "stream.h" // defines: this file's interface

#include <stdlib.h> // defines: calloc, free

#include "bucket.h" // defines: bucket_of
#include "clock.h"  // defines: clock_now
#include "thread.h" // defines: host_thread

enum { N_BUCKETS = 1024 }; // of handles; a power of two

Stream *all_streams;
static Stream *last_stream;
static Stream *by_handle[N_BUCKETS]; // those that a program made, and legacy
static Stream *by_thread[N_BUCKETS]; // cudaStreamPerThread's
static Stream *doomed; // destroyed, and not empty when last looked at

static Stream **handle_bucket(const void *handle)
{
    return &by_handle[bucket_of(handle, N_BUCKETS)];
}

static Stream **thread_bucket(const Device *device, int thread)
{
    unsigned both = (unsigned)thread * MACHINE_MAX_GPUS;
    return &by_thread[(both + (unsigned)device->ordinal) % N_BUCKETS];
}

/* thread: whose cudaStreamPerThread it is; 0: nobody's */
static Stream *add(Device *device, unsigned flags, int priority, int thread)
{
    Stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL)
        return NULL;
    Stream **bucket =
        thread != 0 ? thread_bucket(device, thread) : handle_bucket(stream);
    *stream = (Stream){.device = device,
                       .id = device->n_streams++,
                       .flags = flags,
                       .priority = priority,
                       .is_default = thread != 0,
                       .thread = thread,
                       .previous = last_stream,
                       .same_bucket = *bucket};
    *bucket = stream;
    if (last_stream != NULL)
        last_stream->next = stream;
    else
        all_streams = stream;
    last_stream = stream;
    return stream;
}

Stream *stream_new(Device *device, unsigned flags, int priority)
{
    return add(device, flags, priority, 0);
}

static Stream *per_thread_stream(Device *device)
{
    int thread = host_thread.number;
    for (Stream *s = *thread_bucket(device, thread); s; s = s->same_bucket)
        if (s->device == device && s->thread == thread)
            return s;
    return add(device, cudaStreamDefault, 0, thread);
}

Stream *stream_of(cudaStream_t handle)
{
    Device *device = device_current();
    if (handle == NULL || handle == cudaStreamLegacy)
        return device->legacy;
    if (handle == cudaStreamPerThread)
        return per_thread_stream(device);
    for (Stream *s = *handle_bucket(handle); s != NULL; s = s->same_bucket)
        if (s == (Stream *)(void *)handle)
            return s->destroyed || s->is_default ? NULL : s;
    return NULL;
}

bool stream_blocks(const Stream *stream)
{
    return (stream->flags & cudaStreamNonBlocking) == 0;
}

void stream_used(Stream *stream)
{
    Device *device = stream->device;
    if (stream->is_recent)
        return;
    Stream *before = device->last_recent;
    while (before != NULL && before->id > stream->id)
        before = before->recent_previous;
    Stream *after = before ? before->recent_next : device->recent;
    stream->is_recent = true;
    stream->recent_previous = before;
    stream->recent_next = after;
    *(before ? &before->recent_next : &device->recent) = stream;
    *(after ? &after->recent_previous : &device->last_recent) = stream;
}

/* Take it off the list; what it did stays known. */
static void pass(Stream *stream)
{
    Device *device = stream->device;
    Stream *before = stream->recent_previous;
    Stream *after = stream->recent_next;
    int64_t end_ns = stream->last_end_ns;
    if (!stream->is_recent)
        return;
    stream->is_recent = false;
    *(before ? &before->recent_next : &device->recent) = after;
    *(after ? &after->recent_previous : &device->last_recent) = before;
    if (device->past_ns < end_ns)
        device->past_ns = end_ns;
    if (stream_blocks(stream) && device->past_blocking_ns < end_ns)
        device->past_blocking_ns = end_ns;
}

/* This one, or the next that is still recent. */
static Stream *still_recent(Stream *stream)
{
    while (stream != NULL && stream->head == NULL &&
           stream->last_end_ns <= clock_now()) {
        Stream *next = stream->recent_next;
        pass(stream);
        stream = next;
    }
    return stream;
}

Stream *stream_recent(Device *device)
{
    return still_recent(device->recent);
}

Stream *stream_recent_next(Stream *stream)
{
    return still_recent(stream->recent_next);
}

static void forget(Stream *stream)
{
    pass(stream);
    Stream **link = stream->thread != 0
                        ? thread_bucket(stream->device, stream->thread)
                        : handle_bucket(stream);
    while (*link != stream)
        link = &(*link)->same_bucket;
    *link = stream->same_bucket;
    if (stream->previous != NULL)
        stream->previous->next = stream->next;
    else
        all_streams = stream->next;
    if (stream->next != NULL)
        stream->next->previous = stream->previous;
    else
        last_stream = stream->previous;
    task_release(stream->last);
    free(stream);
}

void stream_sweep(void)
{
    for (Stream **link = &doomed; *link != NULL;) {
        Stream *stream = *link;
        if (stream->head != NULL) {
            link = &stream->next_doomed;
            continue;
        }
        *link = stream->next_doomed;
        forget(stream);
    }
}

void stream_destroy(Stream *stream)
{
    if (stream->head == NULL) {
        forget(stream);
        return;
    }
    stream->destroyed = true;
    stream->next_doomed = doomed;
    doomed = stream;
}

/* Which streams there are: in order of creation, by handle, and those that
 * have something to do. A program may have thousands, most of them idle. */
#include "stream.h" // defines: this file's interface

#include <stdlib.h> // defines: calloc, free

#include "bucket.h" // defines: bucket_of
#include "thread.h" // defines: host_thread

enum { N_BUCKETS = 1024 }; // of handles; a power of two

Stream *all_streams;
Stream *busy_streams;
static Stream *last_stream;
static Stream *by_handle[N_BUCKETS]; // those that a program made, and legacy
static Stream *by_thread[N_BUCKETS]; // cudaStreamPerThread's
static size_t n_destroyed;           // and not freed yet

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

void stream_is_busy(Stream *stream)
{
    stream->busy_previous = NULL;
    stream->busy_next = busy_streams;
    if (busy_streams != NULL)
        busy_streams->busy_previous = stream;
    busy_streams = stream;
    stream->device->n_busy_streams++;
}

void stream_is_idle(Stream *stream)
{
    if (stream->busy_previous != NULL)
        stream->busy_previous->busy_next = stream->busy_next;
    else
        busy_streams = stream->busy_next;
    if (stream->busy_next != NULL)
        stream->busy_next->busy_previous = stream->busy_previous;
    stream->device->n_busy_streams--;
}

static void forget(Stream *stream)
{
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
    for (Stream *s = all_streams, *next; s != NULL && n_destroyed > 0;
         s = next) {
        next = s->next;
        if (s->destroyed && s->head == NULL) {
            forget(s);
            n_destroyed--;
        }
    }
}

void stream_destroy(Stream *stream)
{
    if (stream->head == NULL) {
        forget(stream);
        return;
    }
    stream->destroyed = true;
    n_destroyed++;
}

/* Events. */
#include <stdlib.h> // defines: calloc, free

#include "bucket.h"           // defines: bucket_of
#include "call.h"             // defines: call_enter, call_leave
#include "cuda_runtime_api.h" // defines: the prototypes
#include "event.h"            // defines: Event
#include "inject.h"           // defines: event_live

enum { N_BUCKETS = 1024 }; // a power of two

static Event *events[N_BUCKETS];

static Event **event_bucket(const void *handle)
{
    return &events[bucket_of(handle, N_BUCKETS)];
}

int64_t event_live(void)
{
    int64_t n = 0;
    for (size_t i = 0; i < N_BUCKETS; i++)
        for (const Event *e = events[i]; e != NULL; e = e->next)
            n++;
    return n;
}

Event *event_of(cudaEvent_t handle)
{
    for (Event *e = *event_bucket(handle); e != NULL; e = e->next)
        if (e == (Event *)(void *)handle)
            return e;
    return NULL;
}

static void unlink_event(Event *event)
{
    Event **link = event_bucket(event);
    while (*link != event)
        link = &(*link)->next;
    *link = event->next;
    task_release(event->mark);
    free(event);
}

void event_drop_all(const Device *device)
{
    for (size_t i = 0; i < N_BUCKETS; i++) {
        for (Event *e = events[i], *next; e != NULL; e = next) {
            next = e->next;
            if (e->device == device)
                unlink_event(e);
        }
    }
}

static cudaError_t create(cudaEvent_t *out, unsigned flags)
{
    const unsigned known =
        cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (out == NULL || (flags & ~known) != 0)
        return cudaErrorInvalidValue;
    if ((flags & cudaEventInterprocess) != 0)
        return flags & cudaEventDisableTiming ? cudaErrorNotSupported
                                              : cudaErrorInvalidValue;
    Event *event = calloc(1, sizeof *event);
    if (event == NULL)
        return cudaErrorMemoryAllocation;
    Event **bucket = event_bucket(event);
    *event =
        (Event){.device = device_current(), .flags = flags, .next = *bucket};
    *bucket = event;
    *out = (cudaEvent_t)(void *)event;
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaEventCreate", NEED_DEVICE, COST(call_ns));
    if (error == cudaSuccess)
        error = create(event, cudaEventDefault);
    return call_leave(&call, error, "%s", "event");
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    Call call;
    cudaError_t error = call_enter(&call, "cudaEventCreateWithFlags",
                                   NEED_DEVICE, COST(call_ns));
    if (error == cudaSuccess)
        error = create(event, flags);
    return call_leave(&call, error, "event, %#x", flags);
}

static cudaError_t record(cudaEvent_t handle, cudaStream_t on, unsigned flags)
{
    Event *event = event_of(handle);
    Stream *stream = stream_of(on);
    if (event == NULL || stream == NULL || stream->device != event->device)
        return cudaErrorInvalidResourceHandle;
    if (flags != cudaEventRecordDefault)
        return cudaErrorInvalidValue; // External is for graphs
    if (event->device->sticky != cudaSuccess)
        return event->device->sticky;
    cudaError_t error = stream_mark(stream, "cudaEventRecord", NULL);
    if (error != cudaSuccess)
        return error;
    task_release(event->mark);
    event->mark = task_hold(stream->last);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaEventRecord", NEED_DEVICE, COST(call_ns));
    if (error == cudaSuccess)
        error = record(event, stream, cudaEventRecordDefault);
    return call_leave(&call, error, "event, %s", log_stream(LOG_TEXT, stream));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                     unsigned int flags)
{
    Call call;
    cudaError_t error = call_enter(&call, "cudaEventRecordWithFlags",
                                   NEED_DEVICE, COST(call_ns));
    if (error == cudaSuccess)
        error = record(event, stream, flags);
    return call_leave(&call, error, "event, %s, %#x",
                      log_stream(LOG_TEXT, stream), flags);
}

static cudaError_t query(cudaEvent_t handle)
{
    Event *event = event_of(handle);
    if (event == NULL)
        return cudaErrorInvalidResourceHandle;
    bool done = event->mark == NULL || task_poll(event->mark);
    if (event->device->sticky != cudaSuccess)
        return event->device->sticky;
    return done ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaEventQuery", NEED_DEVICE, COST(query_ns));
    if (error == cudaSuccess)
        error = query(event);
    return call_leave(&call, error, "%s", "event");
}

static cudaError_t synchronize(cudaEvent_t handle)
{
    Event *event = event_of(handle);
    if (event == NULL)
        return cudaErrorInvalidResourceHandle;
    if (event->mark != NULL)
        task_wait(event->mark);
    return event->device->sticky;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaEventSynchronize", NEED_DEVICE, COST(sync_ns));
    if (error == cudaSuccess)
        error = synchronize(event);
    return call_leave(&call, error, "%s", "event");
}

static cudaError_t elapsed(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    Event *start = event_of(from);
    Event *end = event_of(to);
    if (ms == NULL)
        return cudaErrorInvalidValue;
    if (start == NULL || end == NULL || start->device != end->device ||
        start->mark == NULL || end->mark == NULL ||
        ((start->flags | end->flags) & cudaEventDisableTiming) != 0)
        return cudaErrorInvalidResourceHandle;
    if (start->device->sticky != cudaSuccess)
        return start->device->sticky;
    if (!task_poll(start->mark) || !task_poll(end->mark))
        return start->device->sticky != cudaSuccess ? start->device->sticky
                                                    : cudaErrorNotReady;
    *ms = (float)((double)(end->mark->end_ns - start->mark->end_ns) / 1e6);
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaEventElapsedTime", NEED_DEVICE, COST(call_ns));
    if (error == cudaSuccess)
        error = elapsed(ms, start, end);
    return call_leave(&call, error, "%g, event, event",
                      error == cudaSuccess ? (double)*ms : 0.0);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaEventDestroy", NEED_DEVICE, COST(call_ns));
    if (error == cudaSuccess && event_of(event) == NULL)
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess)
        unlink_event(event_of(event));
    return call_leave(&call, error, "%s", "event");
}

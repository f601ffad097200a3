/* Streams, as the program handles them. */
#include "call.h"             // defines: call_enter, call_leave
#include "cuda_runtime_api.h" // defines: the prototypes
#include "event.h"            // defines: event_of
#include "fault.h"            // defines: fault_doubt
#include "stream.h"           // defines: stream_new, stream_of
#include "thread.h"           // defines: host_thread

/* Priorities: the lower the number, the sooner; others are clamped. */
enum { LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };

static cudaError_t create(cudaStream_t *out, unsigned flags, int priority)
{
    if (out == NULL || (flags & ~(unsigned)cudaStreamNonBlocking) != 0)
        return cudaErrorInvalidValue;
    if (priority > LEAST_PRIORITY)
        priority = LEAST_PRIORITY;
    if (priority < GREATEST_PRIORITY)
        priority = GREATEST_PRIORITY;
    Stream *stream = stream_new(device_current(), flags, priority);
    if (stream == NULL)
        return cudaErrorMemoryAllocation;
    *out = (cudaStream_t)(void *)stream;
    return cudaSuccess;
}

static cudaError_t create_call(const char *name, cudaStream_t *out,
                               unsigned flags, int priority)
{
    Call call;
    cudaError_t error = call_enter(&call, name, NEED_DEVICE, COST(call_ns));
    if (error == cudaSuccess)
        error = create(out, flags, priority);
    return call_leave(&call, error, "%s, %#x, %d",
                      log_stream(LOG_TEXT, error == cudaSuccess ? *out : NULL),
                      flags, priority);
}

cudaError_t cudaStreamCreate(cudaStream_t *pStream)
{
    return create_call("cudaStreamCreate", pStream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags)
{
    return create_call("cudaStreamCreateWithFlags", pStream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *pStream,
                                         unsigned int flags, int priority)
{
    return create_call("cudaStreamCreateWithPriority", pStream, flags,
                       priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaStreamDestroy", NEED_DEVICE, COST(call_ns));
    const char *name = log_stream(LOG_TEXT, stream);
    Stream *found = error == cudaSuccess ? stream_of(stream) : NULL;
    // The default streams are nobody's to destroy.
    if (error == cudaSuccess && (found == NULL || found->is_default))
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess)
        stream_destroy(found);
    return call_leave(&call, error, "%s", name);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaStreamSynchronize", NEED_DEVICE, COST(sync_ns));
    Stream *found = error == cudaSuccess ? stream_of(stream) : NULL;
    if (error == cudaSuccess)
        error = found ? stream_wait(found) : cudaErrorInvalidResourceHandle;
    return call_leave(&call, error, "%s", log_stream(LOG_TEXT, stream));
}

static cudaError_t query(Stream *stream)
{
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    Device *device = stream->device;
    bool ended = stream_poll(stream);
    if (device->sticky != cudaSuccess)
        return device->sticky;
    return ended ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaStreamQuery", NEED_DEVICE, COST(query_ns));
    if (error == cudaSuccess)
        error = query(stream_of(stream));
    return call_leave(&call, error, "%s", log_stream(LOG_TEXT, stream));
}

static cudaError_t wait_event(Stream *stream, const Event *event,
                              unsigned flags)
{
    if (stream == NULL || event == NULL)
        return cudaErrorInvalidResourceHandle;
    if (flags != cudaEventWaitDefault)
        return cudaErrorInvalidValue; // External is for graphs
    if (stream->device->sticky != cudaSuccess)
        return stream->device->sticky;
    if (event->mark == NULL)
        return cudaSuccess; // never recorded: nothing to wait for
    return stream_mark(stream, "cudaStreamWaitEvent", event->mark);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned int flags)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaStreamWaitEvent", NEED_DEVICE, COST(call_ns));
    if (error == cudaSuccess)
        error = wait_event(stream_of(stream), event_of(event), flags);
    return call_leave(&call, error, "%s, event, %#x",
                      log_stream(LOG_TEXT, stream), flags);
}

/* One fact about a stream, into *out. */
typedef enum Fact { FACT_FLAGS, FACT_PRIORITY, FACT_DEVICE, FACT_ID } Fact;

static unsigned long long fact_of(const Stream *stream, Fact fact)
{
    switch (fact) {
    case FACT_FLAGS:
        return stream->flags;
    case FACT_PRIORITY:
        return (unsigned long long)(long long)stream->priority;
    case FACT_DEVICE:
        return (unsigned long long)stream->device->ordinal;
    default:
        return (unsigned long long)stream->device->ordinal << 32 |
               (unsigned)stream->id;
    }
}

static cudaError_t ask(const char *name, cudaStream_t handle, Fact fact,
                       const void *out, unsigned long long *value)
{
    Call call;
    cudaError_t error = call_enter(&call, name, NEED_DEVICE, COST(call_ns));
    const Stream *stream = error == cudaSuccess ? stream_of(handle) : NULL;
    if (error == cudaSuccess && out == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && stream == NULL)
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess)
        *value = fact_of(stream, fact);
    return call_leave(&call, error, "%s", log_stream(LOG_TEXT, handle));
}

cudaError_t cudaStreamGetFlags(cudaStream_t hStream, unsigned int *flags)
{
    unsigned long long v = 0;
    cudaError_t e = ask("cudaStreamGetFlags", hStream, FACT_FLAGS, flags, &v);
    if (e == cudaSuccess)
        *flags = (unsigned)v;
    return e;
}

cudaError_t cudaStreamGetPriority(cudaStream_t hStream, int *priority)
{
    unsigned long long v = 0;
    cudaError_t e =
        ask("cudaStreamGetPriority", hStream, FACT_PRIORITY, priority, &v);
    if (e == cudaSuccess)
        *priority = (int)(long long)v;
    return e;
}

cudaError_t cudaStreamGetDevice(cudaStream_t hStream, int *device)
{
    unsigned long long v = 0;
    cudaError_t e =
        ask("cudaStreamGetDevice", hStream, FACT_DEVICE, device, &v);
    if (e == cudaSuccess)
        *device = (int)v;
    return e;
}

cudaError_t cudaStreamGetId(cudaStream_t hStream, unsigned long long *streamId)
{
    return ask("cudaStreamGetId", hStream, FACT_ID, streamId,
               streamId ? streamId : &(unsigned long long){0});
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority,
                                             int *greatestPriority)
{
    Call call;
    cudaError_t error = call_enter(&call, "cudaDeviceGetStreamPriorityRange",
                                   NEED_DEVICE, COST(call_ns));
    if (error == cudaSuccess && leastPriority != NULL)
        *leastPriority = LEAST_PRIORITY;
    if (error == cudaSuccess && greatestPriority != NULL)
        *greatestPriority = GREATEST_PRIORITY;
    return call_leave(&call, error, "%s", "");
}

/* Host functions */

typedef struct HostFunction {
    cudaHostFn_t function;
    void *data;
} HostFunction;

/* Without the lock: it may wait for another thread of the program. Its time
 * is what it charges (cudasimChargeHost), from where the task starts. */
static cudaError_t run_host_function(Task *task)
{
    HostFunction host = *(HostFunction *)task_payload(task);
    int64_t now_ns = host_thread.now_ns;
    host_thread.now_ns = task->start_ns;
    host_thread.in_host_function = true;
    pthread_mutex_unlock(&sim_lock);
    host.function(host.data);
    pthread_mutex_lock(&sim_lock);
    fault_doubt();
    host_thread.in_host_function = false;
    task->duration_ns =
        host_thread.now_ns - task->start_ns + sim.machine.costs.call_ns;
    host_thread.now_ns = now_ns;
    return cudaSuccess;
}

static cudaError_t push_host_function(Stream *stream, cudaHostFn_t function,
                                      void *data)
{
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    if (function == NULL)
        return cudaErrorInvalidValue;
    if (stream->device->sticky != cudaSuccess)
        return stream->device->sticky;
    Task *task = task_new("host function", sizeof(HostFunction));
    if (task == NULL)
        return cudaErrorMemoryAllocation;
    *(HostFunction *)task_payload(task) = (HostFunction){function, data};
    task->run = run_host_function;
    return stream_push(stream, task);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn,
                               void *userData)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaLaunchHostFunc", NEED_DEVICE, COST(launch_ns));
    if (error == cudaSuccess)
        error = push_host_function(stream_of(stream), fn, userData);
    return call_leave(&call, error, "%s, fn, data",
                      log_stream(LOG_TEXT, stream));
}

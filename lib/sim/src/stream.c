/* Queues of tasks, and the rules of the default stream. */
#include "stream.h" // defines: this file's interface

#include <stdlib.h> // defines: calloc, realloc, free

#include "clock.h"    // defines: clock_now, clock_advance_to
#include "pool.h"     // defines: pool_trim
#include "ready.h"    // defines: ready_head
#include "schedule.h" // defines: schedule_until, schedule_due
#include "settings.h" // defines: settings

enum { QUEUE_LIMIT = 1024 };

static uint64_t n_tasks_ever;

/* Tasks */

Task *task_new(const char *name, size_t payload_bytes)
{
    size_t head = (sizeof(Task) + 15) / 16 * 16;
    Task *task = calloc(1, head + payload_bytes);
    if (task == NULL)
        return NULL;
    task->name = name;
    task->references = 1;
    return task;
}

void *task_payload(Task *task)
{
    return (char *)task + (sizeof(Task) + 15) / 16 * 16;
}

Task *task_hold(Task *task)
{
    if (task != NULL)
        task->references++;
    return task;
}

void task_release(Task *task)
{
    if (task == NULL || --task->references > 0)
        return;
    for (int i = 0; i < task->n_after; i++)
        task_release(task->after[i]);
    free(task->after);
    if (task->drop != NULL)
        task->drop(task);
    free(task);
}

void task_after(Task *task, Task *other)
{
    if (other == NULL || other == task)
        return;
    if (task->n_after == task->after_room) {
        int room = task->after_room ? 2 * task->after_room : 2;
        Task **grown = realloc(task->after, (size_t)room * sizeof(Task *));
        if (grown == NULL)
            abort(); // an order lost would be a wrong answer
        task->after = grown;
        task->after_room = room;
    }
    task->after[task->n_after++] = task_hold(other);
    if (other->stream != task->stream && task->n_flows < TASK_MAX_FLOWS)
        task->flow_from[task->n_flows++] = other->id;
}

Device *task_engine_device(const Task *task)
{
    return task->engine_device ? task->engine_device : task->device;
}

static void not_before(Task *task, int64_t ns)
{
    if (task->pushed_ns < ns)
        task->pushed_ns = ns;
}

static void after_last(Task *task, const Stream *stream)
{
    Task *last = stream->last;
    if (last != NULL && (!last->done || last->end_ns > task->pushed_ns))
        task_after(task, last);
}

void task_after_device(Task *task, Device *device)
{
    for (Stream *s = stream_recent(device); s; s = stream_recent_next(s))
        after_last(task, s);
    not_before(task, device->past_ns);
}

/* A blocking stream and the legacy default stream wait for each other. */
static void obey_default_stream(Stream *stream, Task *task)
{
    Device *device = stream->device;
    Stream *legacy = device->legacy;
    if (stream != legacy) {
        if (stream_blocks(stream))
            after_last(task, legacy);
        return;
    }
    for (Stream *s = stream_recent(device); s; s = stream_recent_next(s))
        if (s != legacy && stream_blocks(s))
            after_last(task, s);
    not_before(task, device->past_blocking_ns);
}

static void append(Stream *stream, Task *task)
{
    task->device = stream->device;
    task->stream = stream;
    task->id = ++n_tasks_ever;
    not_before(task, clock_now());
    obey_default_stream(stream, task);
    if (stream->tail != NULL)
        stream->tail->next = task;
    else
        stream->head = task;
    stream->tail = task;
    stream_used(stream);
    if (stream->n_tasks++ == 0) {
        stream->device->n_busy_streams++;
        ready_head(task);
    }
    task_release(stream->last);
    stream->last = task_hold(task);
}

cudaError_t stream_push(Stream *stream, Task *task)
{
    while (stream->n_tasks >= QUEUE_LIMIT)
        task_wait(stream->head);
    append(stream, task);
    if (settings.launch_blocking && task->engine == ENGINE_COMPUTE) {
        task_wait(task);
        return stream->device->sticky;
    }
    return cudaSuccess;
}

cudaError_t stream_mark(Stream *stream, const char *name, Task *after)
{
    Task *task = task_new(name, 0);
    if (task == NULL)
        return cudaErrorMemoryAllocation;
    task->stream = stream;
    task_after(task, after);
    return stream_push(stream, task);
}

/* Waiting */

void task_wait(Task *task)
{
    task_hold(task);
    schedule_until(task);
    clock_advance_to(task->end_ns);
    pool_trim(task->device);
    task_release(task);
    stream_sweep();
}

static bool has_ended(const Task *task)
{
    return task->done && task->end_ns <= clock_now();
}

bool task_poll(Task *task)
{
    task_hold(task);
    schedule_want(task);
    schedule_due(clock_now());
    bool ended = has_ended(task);
    task_release(task);
    stream_sweep();
    return ended;
}

bool stream_poll(Stream *stream)
{
    Device *device = stream->device;
    if (stream != device->legacy)
        return stream->last == NULL || task_poll(stream->last);
    for (Stream *s = stream_recent(device); s; s = stream_recent_next(s))
        if (stream_blocks(s))
            schedule_want(s->last);
    schedule_due(clock_now());
    bool ended = device->past_blocking_ns <= clock_now();
    for (Stream *s = stream_recent(device); s; s = stream_recent_next(s))
        ended = ended && (!stream_blocks(s) || has_ended(s->last));
    stream_sweep();
    return ended;
}

cudaError_t stream_wait(Stream *stream)
{
    Device *device = stream->device;
    if (stream == device->legacy) {
        cudaError_t error = stream_mark(stream, "cudaStreamSynchronize", NULL);
        if (error != cudaSuccess)
            return error;
    }
    if (stream->last != NULL)
        task_wait(stream->last);
    pool_trim(device);
    return device->sticky;
}

cudaError_t device_wait(Device *device)
{
    schedule_idle(device);
    for (Stream *s = stream_recent(device); s; s = stream_recent_next(s))
        clock_advance_to(s->last_end_ns);
    clock_advance_to(device->past_ns);
    pool_trim(device);
    stream_sweep();
    return device->sticky;
}

int64_t kernel_ns(const Device *device, Rate rate, double flops, double bytes)
{
    const GpuModel *model = device->model;
    int64_t compute = clock_ns_of(flops, model->flops_per_s[rate]);
    int64_t traffic = clock_ns_of(bytes, model->memory_bytes_per_s);
    return model->kernel_ns + (compute > traffic ? compute : traffic);
}

/* The scheduler: a discrete-event simulation that runs only when asked.
 *
 * The candidates are the heads of the streams. A head may run when all it
 * waits for is done; it starts when those have ended, its stream is free and
 * its engines are free. Chronological order takes the earliest start, then the
 * higher priority, then the older task, so that a run is a function of the
 * program alone. Adversarial order takes the youngest: a consumer before the
 * producer it forgot to wait for, an overwriter before the reader. */
#include "schedule.h" // defines: this file's interface

#include <stdlib.h> // defines: free

#include "clock.h"  // defines: clock_ns_of
#include "error.h"  // defines: device_fault
#include "fault.h"  // defines: fault_doubt
#include "ready.h"  // defines: ready_take
#include "thread.h" // defines: host_thread
#include "trace.h"  // defines: trace_task

Order schedule_order = ORDER_CHRONOLOGICAL;

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* When a transfer that started then ends, the shared host link considered:
 * it carries all GPUs' bytes, one way, at its own rate. */
static int64_t end_of(const Task *task, int64_t start)
{
    int64_t end = start + task->duration_ns;
    if (task->host_link == 0 || sim.machine.host_link_bytes_per_s <= 0)
        return end;
    int64_t *free_ns = &sim.host_link_free_ns[task->host_link - 1];
    *free_ns =
        later(*free_ns, start) +
        clock_ns_of((double)task->bytes, sim.machine.host_link_bytes_per_s);
    return later(end, *free_ns);
}

/* Do what the task does. A fault inside a kernel lands in its run. */
static void perform(Task *task)
{
    if (task->device->sticky != cudaSuccess) {
        task->duration_ns = 0;
        task->engine = ENGINE_NONE; // dropped: takes nobody's time
        task->peer = NULL;
        task->host_link = 0;
        return;
    }
    if (task->run == NULL)
        return;
    cudaError_t error = task->run(task);
    if (error != cudaSuccess)
        device_fault(task->device, error);
}

static void unlink_head(Stream *stream, Task *task)
{
    stream->head = task->next;
    task->next = NULL;
    if (stream->last_wanted == task)
        stream->last_wanted = NULL;
    stream->n_tasks--;
    if (stream->head != NULL) {
        ready_head(stream->head);
    } else {
        stream->tail = NULL;
        stream->device->n_busy_streams--;
    }
}

static void finish(Task *task, int64_t start)
{
    Stream *stream = task->stream;
    task->start_ns = start;
    task->end_ns = end_of(task, start);
    if (task->engine != ENGINE_NONE)
        task_engine_device(task)->engine_free_ns[task->engine] = task->end_ns;
    if (task->peer != NULL)
        task->peer->engine_free_ns[task->peer_engine] = task->end_ns;
    if (task->engine == ENGINE_COMPUTE)
        task_engine_device(task)->counters.busy_ns +=
            (uint64_t)(task->end_ns - start);
    stream->last_end_ns = later(stream->last_end_ns, task->end_ns);
    task->done = true;
    trace_task(task);
    unlink_head(stream, task);
    ready_done(task);
    for (int i = 0; i < task->n_after; i++)
        task_release(task->after[i]);
    free(task->after);
    task->after = NULL;
    task->n_after = 0;
    if (task->drop != NULL)
        task->drop(task);
    task->drop = NULL;
    task_release(task);
    pthread_cond_broadcast(&sim_changed);
}

static void run_task(Task *task, int64_t start)
{
    task->start_ns = start; // a host function's clock begins there
    perform(task);
    finish(task, start);
}

/* Mark a task as wanted, and its predecessors in the stream: a stream's wanted
 * tasks are always its first ones. They go on the list of those whose
 * conditions are still to be marked. */
static void mark(Task *task, Task **todo)
{
    Stream *stream = task->stream;
    if (task->done || task->wanted)
        return;
    Task *t = stream->last_wanted ? stream->last_wanted->next : stream->head;
    for (;; t = t->next) {
        t->wanted = true;
        t->next_wanted = *todo;
        *todo = t;
        if (t == task)
            break;
    }
    stream->last_wanted = task;
}

void schedule_want(Task *target)
{
    Task *todo = NULL;
    if (schedule_order != ORDER_ADVERSARIAL)
        return;
    mark(target, &todo);
    while (todo != NULL) {
        Task *task = todo;
        todo = task->next_wanted;
        for (int i = 0; i < task->n_after; i++)
            mark(task->after[i], &todo);
        if (task == task->stream->head && !task->hangs)
            ready_head(task);
    }
}

static void want_all(Device *device)
{
    if (schedule_order != ORDER_ADVERSARIAL)
        return;
    for (Stream *s = stream_recent(device); s; s = stream_recent_next(s))
        if (s->tail != NULL)
            schedule_want(s->tail);
}

/* Run the next task that may start by then. False: there is none. */
static bool run_next(int64_t until_ns)
{
    int64_t start_ns = 0;
    Task *task = ready_take(until_ns, &start_ns);
    if (task != NULL)
        run_task(task, start_ns);
    return task != NULL;
}

/* One step towards what is wanted: run a task, or wait for the thread whose
 * host function we wait for. */
static void step(void)
{
    if (run_next(INT64_MAX))
        return;
    pthread_cond_wait(&sim_changed, &sim_lock);
    fault_doubt();
}

void schedule_until(Task *target)
{
    task_hold(target);
    schedule_want(target);
    while (!target->done)
        step();
    task_release(target);
}

void schedule_idle(Device *device)
{
    while (device->n_busy_streams > 0) {
        want_all(device); // again: other threads may have pushed more
        step();
        while (device->n_busy_streams > 0 && run_next(INT64_MAX))
            continue;
    }
}

void schedule_due(int64_t now_ns)
{
    while (run_next(now_ns))
        continue;
}

/* The scheduler: a discrete-event simulation that runs only when asked.
 *
 * The candidates are the heads of the streams. A head may run when all it
 * waits for is done; it starts when those have ended, its stream is free and
 * its engines are free. Chronological order takes the earliest start, then the
 * higher priority, then the older task, so that a run is a function of the
 * program alone. Adversarial order takes the youngest: a consumer before the
 * producer it forgot to wait for, an overwriter before the reader. */
#include "schedule.h" // defines: this file's interface

#include <stdlib.h> // defines: realloc, free

#include "clock.h"  // defines: clock_ns_of
#include "error.h"  // defines: device_fault
#include "thread.h" // defines: host_thread
#include "trace.h"  // defines: trace_task

Order schedule_order = ORDER_CHRONOLOGICAL;

static Device *engine_device(const Task *task)
{
    return task->engine_device ? task->engine_device : task->device;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* When this head could start; false: it still waits for another task. */
static bool may_start(const Task *task, int64_t *start)
{
    int64_t at = later(task->pushed_ns, task->stream->last_end_ns);
    for (int i = 0; i < task->n_after; i++) {
        if (!task->after[i]->done)
            return false;
        at = later(at, task->after[i]->end_ns);
    }
    if (task->engine != ENGINE_NONE)
        at = later(at, engine_device(task)->engine_free_ns[task->engine]);
    if (task->peer != NULL)
        at = later(at, task->peer->engine_free_ns[task->peer_engine]);
    *start = at;
    return true;
}

static bool goes_first(const Task *a, int64_t a_start, const Task *b,
                       int64_t b_start)
{
    if (schedule_order == ORDER_ADVERSARIAL)
        return a->id > b->id;
    if (a_start != b_start)
        return a_start < b_start;
    if (a->stream->priority != b->stream->priority)
        return a->stream->priority < b->stream->priority; // lower is higher
    return a->id < b->id;
}

/* The next task to run among those that may start by `until`, or NULL. */
static Task *pick(bool wanted_only, int64_t until, int64_t *start)
{
    Task *best = NULL;
    for (Stream *s = busy_streams; s != NULL; s = s->busy_next) {
        Task *head = s->head;
        int64_t at;
        if (head->running || (wanted_only && !head->wanted) ||
            !may_start(head, &at) || at > until)
            continue;
        if (best == NULL || goes_first(head, at, best, *start)) {
            best = head;
            *start = at;
        }
    }
    return best;
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
    task->running = true;
    cudaError_t error = task->run(task);
    task->running = false;
    if (error != cudaSuccess)
        device_fault(task->device, error);
}

static void unlink_head(Stream *stream, Task *task)
{
    stream->head = task->next;
    if (stream->head == NULL)
        stream->tail = NULL;
    if (--stream->n_tasks == 0)
        stream_is_idle(stream);
    task->next = NULL;
}

static void finish(Task *task, int64_t start)
{
    Stream *stream = task->stream;
    task->start_ns = start;
    task->end_ns = end_of(task, start);
    if (task->engine != ENGINE_NONE)
        engine_device(task)->engine_free_ns[task->engine] = task->end_ns;
    if (task->peer != NULL)
        task->peer->engine_free_ns[task->peer_engine] = task->end_ns;
    if (task->engine == ENGINE_COMPUTE)
        engine_device(task)->counters.busy_ns +=
            (uint64_t)(task->end_ns - start);
    stream->last_end_ns = later(stream->last_end_ns, task->end_ns);
    task->done = true;
    trace_task(task);
    unlink_head(stream, task);
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

/* Mark what must run before `target` is done. */
static void want(Task *target)
{
    if (target->done || target->wanted)
        return;
    size_t n = 0;
    size_t room = 64;
    Task **todo = malloc(room * sizeof(Task *));
    if (todo != NULL)
        todo[n++] = target;
    while (n > 0) {
        Task *task = todo[--n];
        if (task->wanted)
            continue;
        // Its predecessors in the stream, oldest first, and their conditions.
        for (Task *t = task->stream->head;; t = t->next) {
            if (n + (size_t)t->n_after >= room) {
                room = 2 * room + (size_t)t->n_after;
                Task **grown = realloc(todo, room * sizeof(Task *));
                if (grown == NULL)
                    goto done;
                todo = grown;
            }
            for (int i = 0; i < t->n_after && !t->wanted; i++)
                if (!t->after[i]->done)
                    todo[n++] = t->after[i];
            t->wanted = true;
            if (t == task)
                break;
        }
    }
done:
    free(todo);
}

/* One step towards what is wanted: run a task, or wait for the thread whose
 * host function we wait for. */
static void step(void)
{
    int64_t start = 0;
    Task *task = pick(schedule_order == ORDER_ADVERSARIAL, INT64_MAX, &start);
    if (task != NULL)
        run_task(task, start);
    else
        pthread_cond_wait(&sim_changed, &sim_lock);
}

void schedule_until(Task *target)
{
    task_hold(target);
    if (schedule_order == ORDER_ADVERSARIAL)
        want(target);
    while (!target->done)
        step();
    task_release(target);
}

void schedule_idle(Device *device)
{
    while (device->n_busy_streams > 0) {
        for (Stream *s = busy_streams; s != NULL; s = s->busy_next)
            if (s->device == device && schedule_order == ORDER_ADVERSARIAL)
                want(s->tail);
        step();
    }
}

void schedule_due(Task *target, int64_t now_ns)
{
    bool adversarial = schedule_order == ORDER_ADVERSARIAL;
    int64_t start = 0;
    Task *task;
    task_hold(target);
    if (adversarial)
        want(target);
    while ((task = pick(adversarial, now_ns, &start)) != NULL)
        run_task(task, start);
    task_release(target);
}

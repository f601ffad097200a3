/* Streams and the tasks in them.
 *
 * A task is one thing a GPU does: a kernel, a copy, a memset, an event's
 * mark, a host function. Pushing it costs nothing and runs nothing; it runs
 * when somebody waits for it, or asks and virtual time has come that far.
 *
 *     Task *task = task_new("cublasSgemm", sizeof(Gemm));
 *     *(Gemm *)task_payload(task) = gemm;
 *     task->engine = ENGINE_COMPUTE;
 *     task->duration_ns = kernel_ns(device, RATE_FLOAT32, flops, bytes);
 *     task->run = run_gemm;
 *     error = stream_push(stream, task);
 */
#ifndef SIM_STREAM_H
#define SIM_STREAM_H

#include "state.h"

enum { TASK_MAX_FLOWS = 8 };

struct Task {
    // Filled by whoever makes it:
    const char *name; // static text
    Engine engine;
    Device *engine_device; // whose engine; NULL: the stream's device
    Device *peer;          // a second device whose engine it takes, or NULL
    Engine peer_engine;
    int host_link;       // 0 none, 1 towards the GPUs, 2 away from them
    int64_t duration_ns; // unless run sets it (host functions)
    size_t bytes;        // moved, for the trace
    // What it does, under the lock. An error other than success is a fault
    // of the device (device_fault). NULL: a mark in time.
    cudaError_t (*run)(Task *task);
    void (*drop)(Task *task); // frees what the payload owns; may be NULL

    // Filled by stream_push and by its run:
    Device *device;
    Stream *stream;
    uint64_t id;       // counts tasks from 1, in order of pushing
    int64_t pushed_ns; // or when what is known to be done by then has ended
    int64_t start_ns, end_ns;
    bool done; // has run: start_ns and end_ns are known
    int n_flows;
    uint64_t flow_from[TASK_MAX_FLOWS];

    // Of the scheduler:
    bool wanted;      // adversarial order: somebody needs it
    bool hangs;       // it is its stream's head, and a waiter of another task
    int n_met;        // of `after`, the first that are known to be done
    int64_t ready_ns; // when it could start, were its engines free
    Task *waiters, *next_waiter; // those that hang on it
    Task *next_wanted;

    // Of stream.c alone:
    int references;
    Task *next;
    int n_after, after_room;
    Task **after; // tasks that must be done first, beside its predecessor
};

/* A new task with so many payload bytes, all zero; NULL without memory. */
Task *task_new(const char *name, size_t payload_bytes);
void *task_payload(Task *task);
Task *task_hold(Task *task);
void task_release(Task *task);

/* Make `task`, which is in no stream yet, wait for `other` as well. */
void task_after(Task *task, Task *other);

/* Likewise for all that is in the device's streams now. */
void task_after_device(Task *task, Device *device);

/* Whose engine it takes. */
Device *task_engine_device(const Task *task);

struct Stream {
    Device *device;
    int id; // 1, 2, … per device for SIM_LOG and SIM_TRACE; 0: the legacy one
    unsigned flags;
    int priority;
    bool is_default; // legacy or per-thread: never destroyed by the program
    bool destroyed;  // its handle is dead; it goes when it is empty
    int64_t last_end_ns;
    size_t n_tasks;
    Task *head, *tail; // those not done
    Task *last;        // the one pushed last, held; NULL when none
    Task *last_wanted; // of those not done; all before it are wanted, too
    int thread;        // of cudaStreamPerThread: whose; else 0
    Stream *previous, *next;
    // Of stream_set.c alone:
    bool is_recent;
    Stream *recent_previous, *recent_next;
    Stream *next_doomed; // destroyed, and not empty yet
    Stream *same_bucket;
};

/* All streams there are, in order of creation. */
extern Stream *all_streams;

/* The device's streams whose work has not all ended by the thread's clock, in
 * order of creation: the first, and the one behind `stream`; NULL: no more.
 * What ended before has ended by past_ns or past_blocking_ns of the device.
 * The list may not change meanwhile: push nothing, sweep nothing. */
Stream *stream_recent(Device *device);
Stream *stream_recent_next(Stream *stream);

/* A blocking stream and the legacy default stream wait for each other. */
bool stream_blocks(const Stream *stream);

/* A stream of that device, in the list; NULL without memory. */
Stream *stream_new(Device *device, unsigned flags, int priority);

/* The handle is dead from here; what is queued still runs. */
void stream_destroy(Stream *stream);

/* It has been given a task: it is recent. */
void stream_used(Stream *stream);

/* Free the streams that were destroyed and have become empty. */
void stream_sweep(void);

/* The stream behind a handle: 0 and cudaStreamLegacy are the current
 * device's default stream, cudaStreamPerThread this thread's own.
 * NULL: no such stream (cudaErrorInvalidResourceHandle). */
Stream *stream_of(cudaStream_t handle);

/* Append; the task is the stream's from here, also on failure. With
 * CUDA_LAUNCH_BLOCKING=1 a kernel runs at once, and its error is returned.
 * A full queue (1024) waits for room, as CUDA does. */
cudaError_t stream_push(Stream *stream, Task *task);

/* Run until this task is done, and move the thread's clock to its end. */
void task_wait(Task *task);

/* Run until all the stream's tasks are done; likewise. Returns the device's
 * sticky error if there is one then. */
cudaError_t stream_wait(Stream *stream);

/* Run what is due by the thread's clock. True: the task is done and its end
 * has come. */
bool task_poll(Task *task);

/* Run what is due by the thread's clock. True: all that is in the stream has
 * ended; of the legacy default stream, all that it would wait for. */
bool stream_poll(Stream *stream);

/* Wait for everything on a device. */
cudaError_t device_wait(Device *device);

/* What waits for nothing but its stream takes no time: a mark. */
cudaError_t stream_mark(Stream *stream, const char *name, Task *after);

/* How long a kernel of that work takes on this device. */
int64_t kernel_ns(const Device *device, Rate rate, double flops, double bytes);

#endif

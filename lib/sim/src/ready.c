/* What may start, the first on top.
 *
 * Tasks that need the same engines stand in one lane. Those whose own time has
 * come all start when the engines are free, the higher priority first, then
 * the older; they stand in `now`. Those whose time comes later stand in
 * `later`, by that time. As engines grow busier, tasks pass from `later` to
 * `now`, and never back. The lanes stand in a heap of their own by the start of
 * their first task; since a start can only move away, what that heap holds is
 * never too late, and is looked at again when it comes to the top.
 *
 *     lanes    GPU 0 compute  ->  now: a7 c3   later: b9 (at 500 ns)
 *              GPU 0 copy in  ->  now: -       later: d1 (at 800 ns)
 *              GPU 1 copy out and GPU 0 copy in  ->  ...
 *
 * Adversarial order asks for the youngest, whenever it starts: one heap. */
#include "ready.h" // defines: this file's interface

#include <stdlib.h> // defines: calloc, abort

#include "heap.h"     // defines: Heap
#include "schedule.h" // defines: schedule_order

typedef struct Lane {
    const int64_t *free_ns;      // when the engine is
    const int64_t *peer_free_ns; // and the other one, or NULL
    Heap now, later;
    bool is_listed; // in `lanes`, at `place`
    size_t place;
    struct Lane *next; // with the same first engine
} Lane;

static Lane *lanes_of[MACHINE_MAX_GPUS][N_ENGINES];
static Heap lanes;    // that hold a task
static Heap youngest; // adversarial order: all that are wanted

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Lanes */

/* ENGINE_NONE is always free: its time is never set. */
static const int64_t *engine_of(const Task *task)
{
    return &task_engine_device(task)->engine_free_ns[task->engine];
}

static const int64_t *peer_engine_of(const Task *task)
{
    return task->peer ? &task->peer->engine_free_ns[task->peer_engine] : NULL;
}

static Lane *lane_of(const Task *task)
{
    Lane **first = &lanes_of[task_engine_device(task)->ordinal][task->engine];
    const int64_t *peer_free_ns = peer_engine_of(task);
    for (Lane *lane = *first; lane != NULL; lane = lane->next)
        if (lane->peer_free_ns == peer_free_ns)
            return lane;
    Lane *lane = calloc(1, sizeof *lane);
    if (lane == NULL)
        abort(); // a task lost would be a wait without end
    *lane = (Lane){.free_ns = engine_of(task),
                   .peer_free_ns = peer_free_ns,
                   .next = *first};
    return *first = lane;
}

static int64_t free_at(const Lane *lane)
{
    return lane->peer_free_ns ? later(*lane->free_ns, *lane->peer_free_ns)
                              : *lane->free_ns;
}

/* When the lane's first task starts, and what decides if others do then. */
static HeapKey first_of(Lane *lane)
{
    int64_t free_ns = free_at(lane);
    const HeapEntry *top;
    while ((top = heap_top(&lane->later)) && top->key.at_ns <= free_ns) {
        HeapEntry due = *top;
        due.key.at_ns = 0; // all alike
        heap_remove(&lane->later, 0);
        heap_add(&lane->now, due.key, due.item, NULL);
    }
    if (lane->now.n == 0)
        return heap_top(&lane->later)->key;
    HeapKey key = heap_top(&lane->now)->key;
    key.at_ns = free_ns;
    return key;
}

/* The lane has gained or lost a task. */
static void list(Lane *lane)
{
    if (lane->now.n + lane->later.n == 0) {
        heap_remove(&lanes, lane->place);
        lane->is_listed = false;
    } else if (lane->is_listed) {
        heap_change(&lanes, lane->place, first_of(lane));
    } else {
        lane->is_listed = true;
        heap_add(&lanes, first_of(lane), lane, &lane->place);
    }
}

static void enter(Task *task)
{
    Lane *lane = lane_of(task);
    HeapKey key = {.at_ns = task->ready_ns,
                   .priority = task->stream->priority, // lower is higher
                   .id = task->id};
    heap_add(&lane->later, key, task, NULL);
    list(lane);
}

static Task *take_first(int64_t until_ns, int64_t *start_ns)
{
    const HeapEntry *top;
    while ((top = heap_top(&lanes)) && top->key.at_ns <= until_ns) {
        Lane *lane = top->item;
        HeapKey key = first_of(lane);
        if (heap_less(&top->key, &key)) {
            heap_change(&lanes, 0, key);
            continue;
        }
        Heap *heap = lane->now.n > 0 ? &lane->now : &lane->later;
        Task *task = heap_top(heap)->item;
        heap_remove(heap, 0);
        list(lane);
        *start_ns = key.at_ns;
        return task;
    }
    return NULL;
}

/* Adversarial order */

static int64_t start_of(const Task *task)
{
    const int64_t *peer_free_ns = peer_engine_of(task);
    int64_t at = later(task->ready_ns, *engine_of(task));
    return peer_free_ns ? later(at, *peer_free_ns) : at;
}

static Task *take_youngest(int64_t until_ns, int64_t *start_ns)
{
    // A wait takes the top. Only a query needs to know which may start by
    // then, and looks at all.
    size_t best = youngest.n;
    for (size_t i = 0; i < youngest.n; i++) {
        if (start_of(youngest.entries[i].item) <= until_ns &&
            (best == youngest.n ||
             heap_less(&youngest.entries[i].key, &youngest.entries[best].key)))
            best = i;
        if (until_ns == INT64_MAX)
            break;
    }
    if (best == youngest.n)
        return NULL;
    Task *task = youngest.entries[best].item;
    *start_ns = start_of(task);
    heap_remove(&youngest, best);
    return task;
}

/* Coming and going */

void ready_head(Task *task)
{
    for (; task->n_met < task->n_after; task->n_met++) {
        Task *other = task->after[task->n_met];
        if (other->done)
            continue;
        task->next_waiter = other->waiters;
        other->waiters = task;
        task->hangs = true;
        return;
    }
    if (schedule_order == ORDER_ADVERSARIAL && !task->wanted)
        return; // comes back when it is
    task->ready_ns = later(task->pushed_ns, task->stream->last_end_ns);
    for (int i = 0; i < task->n_after; i++)
        task->ready_ns = later(task->ready_ns, task->after[i]->end_ns);
    if (schedule_order == ORDER_ADVERSARIAL)
        heap_add(&youngest, (HeapKey){.id = UINT64_MAX - task->id}, task, NULL);
    else
        enter(task);
}

void ready_done(Task *task)
{
    while (task->waiters != NULL) {
        Task *waiter = task->waiters;
        task->waiters = waiter->next_waiter;
        waiter->hangs = false;
        ready_head(waiter);
    }
}

Task *ready_take(int64_t until_ns, int64_t *start_ns)
{
    return schedule_order == ORDER_ADVERSARIAL
               ? take_youngest(until_ns, start_ns)
               : take_first(until_ns, start_ns);
}

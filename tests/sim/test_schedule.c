/* The order in which tasks run is a function of the program: random programs
 * run as a plain scan of all streams says (plain_scan.h), task for task and
 * nanosecond for nanosecond, in both orders. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "clock.h"            // defines: clock_now
#include "cuda_runtime_api.h" // defines: cudaGetDeviceCount
#include "plain_scan.h"       // defines: scan, scan_until
#include "stream.h"           // defines: task_new, stream_push
#include "thread.h"           // defines: host_thread

enum { N_PROGRAMS = 300, N_CLOCKS = 3 };

static uint64_t random_state;

/* 0 to n - 1; splitmix64, so that a seed is a program on every machine. */
static int below(int n)
{
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (int)((z ^ z >> 31) % (uint64_t)n);
}

static bool chance(int percent)
{
    return below(100) < percent;
}

/* The simulator's side of the jobs, by number. */
static Task *tasks[MAX_JOBS];
static Stream *lanes[MAX_LANES];
static int n_lanes;
static int n_ran, ran[MAX_JOBS];
static uint64_t first_id; // of job 0
static int64_t clocks[N_CLOCKS];

/* What one program is like: how crowded, how often it waits. */
static struct {
    int n_gpus, n_jobs, percent_wait, percent_event, percent_fault, longest_ns;
} style;

/* Every task is dropped once it has run, also by a device that has faulted. */
static void note(Task *task)
{
    ran[n_ran++] = (int)(task->id - first_id);
}

static cudaError_t work(Task *task)
{
    const bool *faults = task_payload(task);
    return *faults ? cudaErrorLaunchFailure : cudaSuccess;
}

/* A stream joins: now and then a default one. */
static void open_lane(void)
{
    Device *device = &sim.devices[below(style.n_gpus)];
    unsigned flags = chance(70) ? cudaStreamNonBlocking : cudaStreamDefault;
    Stream *stream = device->legacy;
    if (chance(90))
        stream = stream_new(device, flags, -below(3));
    for (int i = 0; i < n_lanes; i++)
        if (lanes[i] == stream)
            return;
    assert_non_null(stream);
    scan.lane_end_ns[n_lanes] = stream->last_end_ns;
    scan.lane_device[n_lanes] = device->ordinal;
    scan.is_legacy[n_lanes] = stream == device->legacy;
    scan.blocks[n_lanes] = stream_blocks(stream);
    lanes[n_lanes++] = stream;
}

static int living_lane(void)
{
    int lane = below(n_lanes);
    for (int i = 0; i < n_lanes && lanes[lane] == NULL; i++)
        lane = (lane + 1) % n_lanes;
    return lane;
}

/* Engines as copies, kernels, peer copies and marks take them. */
static void choose_engine(Job *job)
{
    job->engine_device = job->device;
    job->engine = below(N_ENGINES);
    job->peer = NOBODY;
    job->host_link = 0;
    job->duration_ns = below(3) == 0 ? 100 : below(style.longest_ns);
    if (job->engine == ENGINE_NONE && chance(50))
        job->duration_ns = 0;
    if (job->engine == ENGINE_COPY_IN || job->engine == ENGINE_COPY_OUT)
        job->host_link = below(3);
    if (job->engine == ENGINE_COPY_OUT && chance(50)) {
        job->engine_device = below(style.n_gpus);
        job->peer = below(style.n_gpus);
        job->peer_engine = ENGINE_COPY_IN;
    }
    job->bytes = job->host_link ? (size_t)below(4000) : 0;
}

/* Give both sides the same task. */
static void push(void)
{
    int number = scan.n_jobs++;
    Job *job = &scan.jobs[number];
    job->lane = living_lane();
    Stream *stream = lanes[job->lane];
    job->device = stream->device->ordinal;
    job->priority = stream->priority;
    job->pushed_ns = clock_now();
    job->faults = below(1000) < style.percent_fault * 10;
    choose_engine(job);
    Task *task = task_new("job", sizeof(bool));
    assert_non_null(task);
    *(bool *)task_payload(task) = job->faults;
    task->run = work;
    task->drop = note;
    task->engine = (Engine)job->engine;
    task->engine_device = &sim.devices[job->engine_device];
    task->peer = job->peer == NOBODY ? NULL : &sim.devices[job->peer];
    task->peer_engine = (Engine)job->peer_engine;
    task->host_link = job->host_link;
    task->duration_ns = job->duration_ns;
    task->bytes = job->bytes;
    task->stream = stream;
    for (int left = 3; number > 0 && left > 0 && chance(style.percent_event);
         left--) {
        int other = number - 1 - below(number < 40 ? number : 40);
        task_after(task, tasks[other]);
        job->after[job->n_after++] = other;
    }
    scan_obey_default_stream(job);
    job->before = scan.last[job->lane];
    scan.last[job->lane] = number;
    tasks[number] = task_hold(task);
    assert_int_equal(stream_push(stream, task), cudaSuccess);
    if (number == 0)
        first_id = task->id;
    assert_int_equal(task->id - first_id, number);
}

/* Both sides run until something is done, or what is due. */
static void wait_for_some(int64_t *clock)
{
    int target = below(scan.n_jobs);
    int device = below(style.n_gpus);
    int lane = living_lane();
    switch (below(5)) {
    case 0:
        schedule_until(tasks[target]);
        scan_until(target);
        break;
    case 1:
        scan_idle(device);
        (void)device_wait(&sim.devices[device]); // its fault, if there was one
        assert_int_equal(clock_now(), scan_device_end_ns(device, *clock));
        *clock = clock_now();
        break;
    case 2:
        // The default stream's answer is about all of them.
        for (int i = 0; i < n_lanes && chance(70); i++)
            lane = scan.is_legacy[i] ? i : lane;
        if (lanes[lane]->last != NULL) // else there is nothing to ask
            assert_int_equal(stream_poll(lanes[lane]), scan_poll(lane, *clock));
        break;
    default:
        schedule_want(tasks[target]);
        schedule_due(*clock);
        scan_want(target);
        scan_due(*clock);
    }
    stream_sweep();
}

static void close_lane(void)
{
    int lane = living_lane();
    if (n_lanes < 3 || lanes[lane] == NULL || lanes[lane]->is_default)
        return;
    stream_destroy(lanes[lane]);
    lanes[lane] = NULL;
    open_lane();
}

static void compare(unsigned seed)
{
    char where[64];
    snprintf(where, sizeof where, "program %u, %s order", seed,
             schedule_order == ORDER_ADVERSARIAL ? "adversarial"
                                                 : "chronological");
    if (n_ran != scan.n_ran)
        fail_msg("%s: %d tasks ran, not %d", where, n_ran, scan.n_ran);
    for (int i = 0; i < n_ran; i++) {
        const Job *job = &scan.jobs[scan.ran[i]];
        const Task *task = tasks[scan.ran[i]];
        if (ran[i] != scan.ran[i])
            fail_msg("%s: task %d ran as number %d, not task %d", where, ran[i],
                     i, scan.ran[i]);
        if (task->start_ns != job->start_ns || task->end_ns != job->end_ns)
            fail_msg("%s: task %d took %lld to %lld, not %lld to %lld", where,
                     ran[i], (long long)task->start_ns, (long long)task->end_ns,
                     (long long)job->start_ns, (long long)job->end_ns);
    }
}

static void choose_style(unsigned seed)
{
    random_state = seed;
    style.n_gpus = 1 + below(sim.n_devices);
    style.n_jobs = 20 + below(MAX_JOBS - 20);
    style.percent_wait = below(3) * 4;
    style.percent_event = below(4) * 15;
    style.percent_fault = chance(20);
    style.longest_ns = chance(50) ? 4000 : 3;
    for (int i = 0; i < N_CLOCKS; i++)
        clocks[i] = host_thread.now_ns;
}

static void play(unsigned seed)
{
    scan_begin();
    n_lanes = n_ran = 0;
    choose_style(seed);
    for (int n = 2 + below(MAX_LANES - 10); n > 0; n--)
        open_lane();
    for (int i = 0; i < style.n_jobs; i++) {
        // Each thread has its own clock; which one calls is chance as well.
        int64_t *clock = &clocks[below(N_CLOCKS)];
        host_thread.now_ns = *clock += chance(60) ? 0 : below(1500);
        push();
        if (chance(style.percent_wait))
            wait_for_some(clock);
        if (chance(1) && n_lanes < MAX_LANES)
            close_lane();
        compare(seed);
    }
    for (int d = 0; d < sim.n_devices; d++) {
        schedule_idle(&sim.devices[d]);
        scan_idle(d);
    }
    compare(seed);
    assert_int_equal(n_ran, scan.n_jobs);
}

/* The next program begins when all this one did is in the past. */
static void clean_up(void)
{
    for (int d = 0; d < sim.n_devices; d++) {
        sim.devices[d].sticky = cudaSuccess;
        assert_int_equal(device_wait(&sim.devices[d]), cudaSuccess);
    }
    for (int i = 0; i < scan.n_jobs; i++)
        task_release(tasks[i]);
    for (int i = 0; i < n_lanes; i++)
        if (lanes[i] != NULL && !lanes[i]->is_default)
            stream_destroy(lanes[i]);
    for (int i = 0; i < N_CLOCKS; i++)
        clock_advance_to(clocks[i]);
}

static void play_all(Order order)
{
    static bool is_spoilt; // by a failure half way
    int n_gpus = 0;
    if (is_spoilt)
        skip();
    is_spoilt = true;
    assert_int_equal(cudaGetDeviceCount(&n_gpus), cudaSuccess);
    schedule_order = order;
    for (unsigned seed = 1; seed <= N_PROGRAMS; seed++) {
        play(seed);
        clean_up();
    }
    is_spoilt = false;
}

static void by_the_clock(void **state)
{
    (void)state;
    play_all(ORDER_CHRONOLOGICAL);
}

static void in_adversarial_order(void **state)
{
    (void)state;
    play_all(ORDER_ADVERSARIAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_the_clock),
        cmocka_unit_test(in_adversarial_order),
    };
    return cmocka_run_group_tests_name("sim schedule", tests, NULL, NULL);
}

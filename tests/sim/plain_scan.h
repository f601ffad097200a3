/* The scheduler's rules, written out a second time and without any cleverness:
 * at every step all streams are looked at. test_schedule.c compares. */
#ifndef TESTS_SIM_PLAIN_SCAN_H
#define TESTS_SIM_PLAIN_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "schedule.h" // defines: ORDER_ADVERSARIAL
#include "stream.h"   // defines: Task, Stream, sim

enum { MAX_JOBS = 512, MAX_LANES = 48, MAX_CONDITIONS = 64, NOBODY = -1 };

/* A task, as the scan knows it: what was asked of the simulator, by number. */
typedef struct Job {
    int lane, device, priority;
    int before; // its predecessor in the stream, or NOBODY
    int engine_device, engine, peer, peer_engine, host_link; // NOBODY: none
    int64_t pushed_ns, duration_ns, start_ns, end_ns;
    size_t bytes;
    int n_after, after[MAX_CONDITIONS];
    bool faults, done, wanted;
} Job;

static struct {
    int n_jobs;
    Job jobs[MAX_JOBS];
    int last[MAX_LANES];        // pushed there, or NOBODY
    int lane_device[MAX_LANES]; // closed lanes are remembered
    bool is_legacy[MAX_LANES], blocks[MAX_LANES];
    int64_t lane_end_ns[MAX_LANES]; // when the stream's last task ended
    int64_t engine_free_ns[MACHINE_MAX_GPUS][N_ENGINES];
    int64_t link_free_ns[2];
    bool faulted[MACHINE_MAX_GPUS];
    int n_ran, ran[MAX_JOBS]; // in order
} scan;

static int64_t scan_later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* What the simulator's engines are at now, and nothing else. */
static void scan_begin(void)
{
    memset(&scan, 0, sizeof scan);
    for (int i = 0; i < MAX_LANES; i++)
        scan.last[i] = NOBODY;
    for (int d = 0; d < sim.n_devices; d++)
        memcpy(scan.engine_free_ns[d], sim.devices[d].engine_free_ns,
               sizeof scan.engine_free_ns[d]);
    memcpy(scan.link_free_ns, sim.host_link_free_ns, sizeof scan.link_free_ns);
}

/* The rules of the default stream: it waits for what the blocking streams of
 * its device hold, and they wait for what it holds. */
static void scan_obey_default_stream(Job *job)
{
    for (int lane = 0; lane < MAX_LANES; lane++) {
        bool matters = scan.is_legacy[job->lane] ? scan.blocks[lane]
                                                 : scan.is_legacy[lane];
        if (matters && scan.blocks[job->lane] && lane != job->lane &&
            scan.last[lane] != NOBODY && scan.lane_device[lane] == job->device)
            job->after[job->n_after++] = scan.last[lane];
    }
}

static bool scan_may_start(const Job *job, int64_t *start_ns)
{
    int64_t at = scan_later(job->pushed_ns, scan.lane_end_ns[job->lane]);
    if (job->before != NOBODY && !scan.jobs[job->before].done)
        return false;
    for (int i = 0; i < job->n_after; i++) {
        const Job *other = &scan.jobs[job->after[i]];
        if (!other->done)
            return false;
        at = scan_later(at, other->end_ns);
    }
    if (job->engine != ENGINE_NONE)
        at = scan_later(at,
                        scan.engine_free_ns[job->engine_device][job->engine]);
    if (job->peer != NOBODY)
        at = scan_later(at, scan.engine_free_ns[job->peer][job->peer_engine]);
    *start_ns = at;
    return true;
}

static bool scan_goes_first(int a, int64_t a_ns, int b, int64_t b_ns)
{
    if (schedule_order == ORDER_ADVERSARIAL)
        return a > b;
    if (a_ns != b_ns)
        return a_ns < b_ns;
    if (scan.jobs[a].priority != scan.jobs[b].priority)
        return scan.jobs[a].priority < scan.jobs[b].priority;
    return a < b;
}

/* The job to run next, or NOBODY. */
static int scan_pick(int64_t until_ns, int64_t *start_ns)
{
    int best = NOBODY;
    for (int i = 0; i < scan.n_jobs; i++) {
        const Job *job = &scan.jobs[i];
        int64_t at;
        if (job->done ||
            (schedule_order == ORDER_ADVERSARIAL && !job->wanted) ||
            !scan_may_start(job, &at) || at > until_ns)
            continue;
        if (best == NOBODY || scan_goes_first(i, at, best, *start_ns)) {
            best = i;
            *start_ns = at;
        }
    }
    return best;
}

static void scan_run(int number, int64_t start_ns)
{
    Job *job = &scan.jobs[number];
    bool dropped = scan.faulted[job->device];
    job->start_ns = start_ns;
    job->end_ns = start_ns + (dropped ? 0 : job->duration_ns);
    if (!dropped && job->host_link > 0) {
        int64_t *free_ns = &scan.link_free_ns[job->host_link - 1];
        double exact =
            (double)job->bytes * 1e9 / sim.machine.host_link_bytes_per_s;
        int64_t whole = (int64_t)exact;
        *free_ns = scan_later(*free_ns, start_ns) + whole + (exact > whole);
        job->end_ns = scan_later(job->end_ns, *free_ns);
    }
    if (!dropped && job->faults)
        scan.faulted[job->device] = true;
    if (!dropped && job->engine != ENGINE_NONE)
        scan.engine_free_ns[job->engine_device][job->engine] = job->end_ns;
    if (!dropped && job->peer != NOBODY)
        scan.engine_free_ns[job->peer][job->peer_engine] = job->end_ns;
    scan.lane_end_ns[job->lane] =
        scan_later(scan.lane_end_ns[job->lane], job->end_ns);
    job->done = true;
    scan.ran[scan.n_ran++] = number;
}

/* What must be done before this job is. */
static void scan_want(int number)
{
    Job *job = &scan.jobs[number];
    if (job->done || job->wanted)
        return;
    job->wanted = true;
    if (job->before != NOBODY)
        scan_want(job->before);
    for (int i = 0; i < job->n_after; i++)
        scan_want(job->after[i]);
}

/* schedule_until, schedule_due, schedule_idle and stream_poll, by the scan. */
static void scan_until(int target)
{
    int64_t start_ns = 0;
    scan_want(target);
    while (!scan.jobs[target].done) {
        int next = scan_pick(INT64_MAX, &start_ns);
        scan_run(next, start_ns);
    }
}

static void scan_due(int64_t now_ns)
{
    int64_t start_ns = 0;
    int next;
    while ((next = scan_pick(now_ns, &start_ns)) != NOBODY)
        scan_run(next, start_ns);
}

static bool scan_poll(int lane, int64_t now_ns)
{
    bool ended = true;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < scan.n_jobs; i++) {
            const Job *job = &scan.jobs[i];
            bool counts = scan.is_legacy[lane]
                              ? job->device == scan.lane_device[lane] &&
                                    scan.blocks[job->lane]
                              : job->lane == lane;
            if (counts && pass == 0)
                scan_want(i);
            else if (counts)
                ended = ended && job->done && job->end_ns <= now_ns;
        }
        if (pass == 0)
            scan_due(now_ns);
    }
    return ended;
}

/* When the last of a device's tasks ended, or `at_least`. */
static int64_t scan_device_end_ns(int device, int64_t at_least)
{
    for (int i = 0; i < scan.n_jobs; i++)
        if (scan.jobs[i].device == device)
            at_least = scan_later(at_least, scan.jobs[i].end_ns);
    return at_least;
}

static bool scan_is_busy(int device)
{
    for (int i = 0; i < scan.n_jobs; i++)
        if (scan.jobs[i].device == device && !scan.jobs[i].done)
            return true;
    return false;
}

static void scan_idle(int device)
{
    int64_t start_ns = 0;
    for (int i = 0; i < scan.n_jobs; i++)
        if (scan.jobs[i].device == device)
            scan_want(i);
    while (scan_is_busy(device)) {
        int next = scan_pick(INT64_MAX, &start_ns);
        scan_run(next, start_ns);
    }
}

#endif

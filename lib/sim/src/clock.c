/* Virtual time. A thread's clock is a plain number; nothing here waits. */
#include "clock.h" // defines: this file's interface

#include <math.h> // defines: ceil
#include <stdatomic.h>

#include "state.h"  // defines: sim
#include "thread.h" // defines: host_thread

_Thread_local HostThread host_thread __attribute__((tls_model("initial-exec")));

int64_t clock_now(void)
{
    return host_thread.now_ns;
}

void clock_charge(int64_t ns)
{
    if (ns > 0)
        host_thread.now_ns += ns;
}

void clock_advance_to(int64_t ns)
{
    if (ns > host_thread.now_ns)
        host_thread.now_ns = ns;
}

static double exact_ns(double n, double per_second)
{
    return n > 0 && per_second > 0 ? n * 1e9 / per_second : 0;
}

static int64_t whole_ns(double exact)
{
    double ns = ceil(exact);
    return ns < 9e18 ? (int64_t)ns : INT64_MAX / 4;
}

int64_t clock_ns_of(double n, double per_second)
{
    return whole_ns(exact_ns(n, per_second));
}

int64_t clock_host_ns(double flops, double bytes)
{
    const HostModel *host = &sim.machine.host;
    double compute = exact_ns(flops, host->flops_per_s);
    double traffic = exact_ns(bytes, host->bytes_per_s);
    return host->op_overhead_ns +
           whole_ns(compute > traffic ? compute : traffic);
}

/* The clock a new thread finds: that of the thread which came first. It is
 * most often waiting (in pthread_join) and so stands still. */
static _Atomic int64_t first_thread_ns;

void thread_greet(void)
{
    static int n_threads;
    if (host_thread.number != 0)
        return;
    host_thread.number = ++n_threads;
    clock_advance_to(first_thread_ns);
}

void thread_note_clock(void)
{
    if (host_thread.number == 1)
        atomic_store_explicit(&first_thread_ns, clock_now(),
                              memory_order_relaxed);
}

/* What went through the library. One lock: copies cost far more than it. */
#include "device/ledger.h" // defines: Ledger, ledger_now, ledger_since
#include "device/count.h"  // defines: ledger_count_copy
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Ledger ledger;
/* How many brackets of printing this thread is in. */
static _Thread_local int printing;

static void add(LedgerCount *count, size_t n_bytes)
{
    count->n_copies++;
    count->n_bytes += (int64_t)n_bytes;
}

static LedgerCount *direction(Device to, Device from)
{
    if (from.kind == DEVICE_CPU)
        return &ledger.host_to_device;
    if (to.kind == DEVICE_CPU)
        return &ledger.device_to_host;
    if (to.index == from.index)
        return &ledger.device_to_device;
    return &ledger.peer;
}

void ledger_count_copy(Device to, Device from, size_t n_bytes)
{
    if (to.kind == DEVICE_CPU && from.kind == DEVICE_CPU)
        return;
    pthread_mutex_lock(&lock);
    if (printing > 0) {
        add(&ledger.printing, n_bytes);
    } else {
        add(direction(to, from), n_bytes);
        if (to.kind == DEVICE_CUDA && to.index < LEDGER_MAX_DEVICES)
            add(&ledger.into[to.index], n_bytes);
        if (from.kind == DEVICE_CUDA && from.index < LEDGER_MAX_DEVICES)
            add(&ledger.out_of[from.index], n_bytes);
    }
    pthread_mutex_unlock(&lock);
}

static void count(int64_t *what)
{
    if (printing > 0)
        return;
    pthread_mutex_lock(&lock);
    ++*what;
    pthread_mutex_unlock(&lock);
}

void ledger_count_launch(void)
{
    count(&ledger.n_launches);
}

void ledger_count_allocation(void)
{
    count(&ledger.n_allocations);
}

void ledger_count_synchronization(void)
{
    count(&ledger.n_synchronizations);
}

Ledger ledger_now(void)
{
    pthread_mutex_lock(&lock);
    Ledger now = ledger;
    pthread_mutex_unlock(&lock);
    return now;
}

static LedgerCount less(LedgerCount a, LedgerCount b)
{
    return (LedgerCount){a.n_copies - b.n_copies, a.n_bytes - b.n_bytes};
}

Ledger ledger_since(const Ledger *mark)
{
    Ledger d = ledger_now();
    d.host_to_device = less(d.host_to_device, mark->host_to_device);
    d.device_to_host = less(d.device_to_host, mark->device_to_host);
    d.device_to_device = less(d.device_to_device, mark->device_to_device);
    d.peer = less(d.peer, mark->peer);
    d.printing = less(d.printing, mark->printing);
    d.n_launches -= mark->n_launches;
    d.n_allocations -= mark->n_allocations;
    d.n_synchronizations -= mark->n_synchronizations;
    for (int i = 0; i < LEDGER_MAX_DEVICES; i++) {
        d.into[i] = less(d.into[i], mark->into[i]);
        d.out_of[i] = less(d.out_of[i], mark->out_of[i]);
    }
    return d;
}

void ledger_printing_begin(void)
{
    printing++;
}

void ledger_printing_end(void)
{
    printing--;
}

/* What the simulator offers beyond CUDA (cudasim.h). No call here is logged,
 * costs virtual time, or sets the last error. */
#include <string.h> // defines: memset

#include "clock.h"   // defines: clock_now
#include "cudasim.h" // defines: the prototypes
#include "driver.h"  // defines: driver_open
#include "state.h"   // defines: sim
#include "thread.h"  // defines: host_thread

static void enter(void)
{
    pthread_mutex_lock(&sim_lock);
    driver_open();
    thread_greet();
}

static void leave(void)
{
    thread_note_clock();
    pthread_mutex_unlock(&sim_lock);
}

uint64_t cudasimNow(void)
{
    enter();
    uint64_t now_ns = (uint64_t)clock_now();
    leave();
    return now_ns;
}

/* Every op on the CPU comes here: a thread that is known needs no lock for its
 * own clock. */
void cudasimChargeHost(double flops, double bytes)
{
    if (host_thread.number != 0) {
        clock_charge(clock_host_ns(flops, bytes));
        thread_note_clock();
        return;
    }
    enter();
    clock_charge(clock_host_ns(flops, bytes));
    leave();
}

void cudasimAdvanceTo(uint64_t ns)
{
    enter();
    if (ns <= INT64_MAX)
        clock_advance_to((int64_t)ns);
    leave();
}

/* The index in Sim.links of an ordinal or CUDASIM_HOST; -1: no such. */
static int link_index(int device)
{
    if (device == CUDASIM_HOST)
        return SIM_HOST;
    return device_at(device) ? device : -1;
}

cudaError_t cudasimGetLinkCounters(int from, int to, CudasimLinkCounters *out)
{
    cudaError_t error = cudaSuccess;
    enter();
    int a = link_index(from);
    int b = link_index(to);
    if (a < 0 || b < 0)
        error = cudaErrorInvalidDevice;
    else if (out == NULL)
        error = cudaErrorInvalidValue;
    else
        *out = sim.links[a][b];
    leave();
    return error;
}

cudaError_t cudasimGetDeviceCounters(int device, CudasimDeviceCounters *out)
{
    cudaError_t error = cudaSuccess;
    enter();
    if (device_at(device) == NULL)
        error = cudaErrorInvalidDevice;
    else if (out == NULL)
        error = cudaErrorInvalidValue;
    else
        *out = device_at(device)->counters;
    leave();
    return error;
}

void cudasimResetCounters(void)
{
    enter();
    memset(sim.links, 0, sizeof sim.links);
    for (int i = 0; i < sim.n_devices; i++) {
        CudasimDeviceCounters *c = &sim.devices[i].counters;
        uint64_t used = c->used_bytes;
        *c = (CudasimDeviceCounters){.used_bytes = used, .peak_bytes = used};
    }
    leave();
}

const char *cudasimMachineName(void)
{
    enter();
    leave();
    return sim.machine.name;
}

int cudasimMachineGpus(void)
{
    enter();
    int n = sim.machine.n_gpus;
    leave();
    return n;
}

int cudasimPhysicalDevice(int device)
{
    enter();
    const Device *found = device_at(device);
    int physical = found ? found->physical : -1;
    leave();
    return physical;
}

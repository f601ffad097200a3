/* The driver: what there is once the first call has been made. */
#include "driver.h" // defines: this file's interface

#include <stdio.h>  // defines: snprintf
#include <stdlib.h> // defines: abort

#include "call.h"     // defines: clock_charge
#include "fault.h"    // defines: fault_install
#include "settings.h" // defines: settings_read
#include "stream.h"   // defines: stream_new
#include "thread.h"   // defines: host_thread
#include "visible.h"  // defines: visible_devices

Sim sim;
pthread_mutex_t sim_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t sim_changed = PTHREAD_COND_INITIALIZER;

static bool is_ready;  // initialised in this process or its parent
static bool is_forked; // this process is a child of one that was

static void before_fork(void)
{
    pthread_mutex_lock(&sim_lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&sim_lock);
}

/* The GPU's state stayed with the parent: a child cannot use it. */
static void after_fork_in_child(void)
{
    is_forked = is_ready;
    pthread_mutex_unlock(&sim_lock);
}

/* From the moment the library is loaded, so that no fork finds it locked. */
__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

static void open_device(int ordinal, int physical)
{
    Device *device = &sim.devices[ordinal];
    *device = (Device){.ordinal = ordinal,
                       .physical = physical,
                       .model = &sim.machine.gpus[physical]};
    device->pool.reuse[0] = device->pool.reuse[1] = device->pool.reuse[2] = 1;
    device->legacy = stream_new(device, cudaStreamDefault, 0);
    if (device->legacy == NULL)
        abort();
    device->legacy->is_default = true;
    device->legacy->id = 0;
}

void driver_open(void)
{
    if (is_ready)
        return;
    is_ready = true;
    char why[1024];
    int physical[MACHINE_MAX_GPUS];
    settings_read();
    if (!machine_load(settings.machine, &sim.machine, why, sizeof why))
        settings_refuse(why);
    if (!sim.machine.has_driver)
        return;
    sim.n_devices = visible_devices(&sim.machine, settings.visible,
                                    settings.pci_order, physical);
    for (int i = 0; i < sim.n_devices; i++)
        open_device(i, physical[i]);
    fault_install();
}

bool driver_is_forked(void)
{
    return is_forked;
}

Device *device_at(int ordinal)
{
    return ordinal >= 0 && ordinal < sim.n_devices ? &sim.devices[ordinal]
                                                   : NULL;
}

Device *device_current(void)
{
    return device_at(host_thread.device);
}

size_t device_free_bytes(const Device *device)
{
    const GpuModel *model = device->model;
    size_t block = (size_t)2 << 20;
    size_t small = (device->small_bytes + block - 1) / block * block;
    size_t used = small + device->pool.reserved + model->idle_bytes +
                  model->other_bytes +
                  (device->active ? model->context_bytes : 0);
    return used < model->total_bytes ? model->total_bytes - used : 0;
}

void device_activate(Device *device)
{
    if (device->active)
        return;
    device->active = true;
    device_use_changed(device);
    clock_charge(sim.machine.costs.context_ns);
}

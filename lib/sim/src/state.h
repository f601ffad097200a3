/* The simulated machine as this process sees it.
 *
 * There is one lock. Every API call holds it from call_enter to call_leave
 * (call.h); the only code that runs without it is a host function. All that
 * is declared here may be touched only under the lock. */
#ifndef SIM_STATE_H
#define SIM_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cudasim.h"
#include "driver_types.h"
#include "machine.h"

enum { SIM_HOST = MACHINE_MAX_GPUS };

typedef struct Stream Stream;
typedef struct Task Task;

/* The parts of a GPU that do one thing at a time. */
typedef enum Engine {
    ENGINE_NONE, // takes no part of the GPU: markers, host functions
    ENGINE_COMPUTE,
    ENGINE_COPY_IN,  // towards this GPU
    ENGINE_COPY_OUT, // away from this GPU
    N_ENGINES
} Engine;

/* The default memory pool of a device; cudaMemPool_t points to one. */
typedef struct Pool {
    uint64_t release_threshold;
    uint64_t reserved, reserved_high; // bytes held from the device
    uint64_t used, used_high;         // bytes handed out
    int reuse[3];                     // the three reuse attributes, kept only
    uint64_t readers;                 // bit j: device j may reach its memory
} Pool;

typedef struct Device {
    int ordinal;  // as the program sees it
    int physical; // index in Machine.gpus
    const GpuModel *model;
    bool active;        // has a context
    bool is_published;  // smi has been told of our use
    cudaError_t sticky; // cudaSuccess, or what every later call returns
    unsigned flags;     // cudaSetDeviceFlags
    uint64_t peers;     // bit j: access to device j's memory is enabled
    Stream *legacy;     // the legacy default stream
    int n_streams;      // made so far, the legacy one first
    // Of stream_set.c: streams whose work may not have ended yet, oldest
    // first; when that of all others has, and of those that obey the legacy one
    Stream *recent, *last_recent;
    int64_t past_ns, past_blocking_ns;
    int n_busy_streams; // that have tasks
    // What device_free_bytes counts; who changes one of these, or `active`,
    // calls device_use_changed:
    size_t small_bytes; // sum of cudaMalloc's sizes, rounded up
    Pool pool;          // its reserved bytes
    int64_t engine_free_ns[N_ENGINES];
    uint64_t next_offset; // where the next arena stands in SIM_LOG's numbers
    CudasimDeviceCounters counters;
} Device;

typedef struct Sim {
    Machine machine;
    int n_devices; // visible ones
    Device devices[MACHINE_MAX_GPUS];
    int64_t host_link_free_ns[2]; // [0] towards the GPUs, [1] away
    // [from][to], by ordinal; the last index is the host (SIM_HOST)
    CudasimLinkCounters links[MACHINE_MAX_GPUS + 1][MACHINE_MAX_GPUS + 1];
} Sim;

extern Sim sim;
extern pthread_mutex_t sim_lock;
extern pthread_cond_t sim_changed; // a host function ended

/* The device that is current for the calling thread. Only after call_enter
 * with NEED_DEVICE has succeeded. */
Device *device_current(void);

/* The device with this ordinal, or NULL. */
Device *device_at(int ordinal);

/* What cudaMemGetInfo calls free; 0 when the others took more. */
size_t device_free_bytes(const Device *device);

/* smi is to be told when this call ends. */
void device_use_changed(Device *device);

/* Count n more of a kind that cudasimFailAfter may have armed. True: this one
 * is the one that is to fail. */
bool fail_now(CudasimFailKind kind);

/* Give the device a context if it has none: charges the machine's figure. */
void device_activate(Device *device);

#endif

/* Peer access, opened at the first copy between two GPUs that can. */
#include "device/peer.h"   // defines: peer_open
#include "device/ledger.h" // defines: LEDGER_MAX_DEVICES
#include "device/memory.h" // defines: memory_pool
#include "device/stream.h" // defines: device_enter, device_leave
#include <cuda_runtime.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Which pairs have been seen to; written under the lock. */
static atomic_bool seen[LEDGER_MAX_DEVICES][LEDGER_MAX_DEVICES];

/* Memory of a pool has a list of its own of who may reach it, which
 * cudaDeviceEnablePeerAccess does not touch. */
static Status open_pool(cudaMemPool_t pool, int from)
{
    struct cudaMemAccessDesc grant = {
        .location = {.type = cudaMemLocationTypeDevice, .id = from},
        .flags = cudaMemAccessFlagsProtReadWrite,
    };
    return cuda_check((int)cudaMemPoolSetAccess(pool, &grant, 1));
}

/* A GPU without pools. A program may have opened the pair by hand; and where
 * a GPU has as many peers as it can, copies go on by way of the host. */
static Status open_device(int from, int to)
{
    int before = -1;
    TRY(device_enter(device_cuda(from), &before));
    cudaError_t error = cudaDeviceEnablePeerAccess(to, 0);
    device_leave(before);
    if (error == cudaErrorPeerAccessAlreadyEnabled ||
        error == cudaErrorTooManyPeers) {
        cudaGetLastError(); // told here: let no later call tell it again
        error = cudaSuccess;
    }
    return cuda_check((int)error);
}

static Status open_pair(int from, int to)
{
    int able = 0;
    TRY(cuda_check((int)cudaDeviceCanAccessPeer(&able, from, to)));
    if (!able)
        return OK;
    void *pool = NULL;
    TRY(memory_pool(to, &pool));
    return pool ? open_pool((cudaMemPool_t)pool, from) : open_device(from, to);
}

Status peer_open(int from, int to)
{
    atomic_bool *done = &seen[from][to];
    if (atomic_load_explicit(done, memory_order_acquire))
        return OK;
    pthread_mutex_lock(&lock);
    Status status = OK;
    if (!atomic_load_explicit(done, memory_order_relaxed))
        status = open_pair(from, to);
    if (status == OK)
        atomic_store_explicit(done, true, memory_order_release);
    pthread_mutex_unlock(&lock);
    return status;
}

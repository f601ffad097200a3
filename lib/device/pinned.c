/* Page-locked host memory, kept and lent again once nobody copies from or to
 * it: each copy leaves an event behind, and a block is idle when all of its
 * events have happened. */
#include "device/pinned.h" // defines: pinned_new, pinned_in_use, pinned_free
#include "base/alloc.h"    // defines: mem_new, mem_free
#include <cuda_runtime.h>
#include <pthread.h>
#include <stdbool.h>

/* One copy, or several behind one another. An event belongs to a GPU. */
typedef struct Use {
    struct Use *next;
    int device;
    cudaEvent_t ended;
} Use;

struct Pinned {
    Pinned *next; // kept
    void *data;
    size_t n_bytes;
    Use *uses; // kept with the block, for its next copies
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Pinned *kept;

static bool has_ended(const Use *use)
{
    cudaError_t error = cudaEventQuery(use->ended);
    if (error == cudaErrorNotReady)
        cudaGetLastError();      // no failure, and nobody shall find it
    return error == cudaSuccess; // a fault shows elsewhere, and lends nothing
}

static bool is_idle(const Pinned *block)
{
    for (const Use *use = block->uses; use; use = use->next)
        if (!has_ended(use))
            return false;
    return true;
}

/* A kept block that fits and is idle, or NULL. Half of it may stay unused. */
static Pinned *take_kept(size_t n_bytes)
{
    pthread_mutex_lock(&lock);
    Pinned **link = &kept;
    while (*link && ((*link)->n_bytes < n_bytes ||
                     (*link)->n_bytes / 2 > n_bytes || !is_idle(*link)))
        link = &(*link)->next;
    Pinned *block = *link;
    if (block)
        *link = block->next;
    pthread_mutex_unlock(&lock);
    return block;
}

static void give_back(Pinned *block)
{
    while (block->uses) {
        Use *use = block->uses;
        block->uses = use->next;
        cudaEventSynchronize(use->ended);
        cudaEventDestroy(use->ended);
        mem_free(use);
    }
    cudaFreeHost(block->data);
    cudaGetLastError();
    mem_free(block);
}

/* When there is no room for more, what is kept goes first. */
static void give_back_all(void)
{
    pthread_mutex_lock(&lock);
    Pinned *first = kept;
    kept = NULL;
    pthread_mutex_unlock(&lock);
    while (first) {
        Pinned *block = first;
        first = block->next;
        give_back(block);
    }
}

static Status lock_pages(size_t n_bytes, void **out)
{
    Device any;
    TRY(device_resolve(device_cuda(-1), &any)); // or say that there is no GPU
    cudaError_t error = cudaHostAlloc(out, n_bytes, cudaHostAllocDefault);
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        give_back_all();
        error = cudaHostAlloc(out, n_bytes, cudaHostAllocDefault);
    }
    if (error != cudaErrorMemoryAllocation)
        return cuda_check((int)error);
    cudaGetLastError();
    return status_fail(ERR_MEMORY,
                       "CUDA error: out of memory (tried to lock %zu bytes of "
                       "host memory)",
                       n_bytes);
}

Status pinned_new(size_t n_bytes, Pinned **out)
{
    *out = take_kept(n_bytes);
    if (*out)
        return OK;
    Pinned *block = mem_new(sizeof *block);
    if (!block)
        return ERR_MEMORY;
    block->n_bytes = n_bytes;
    Status status = lock_pages(n_bytes, &block->data);
    if (status == OK)
        *out = block;
    else
        mem_free(block);
    return status;
}

void *pinned_data(const Pinned *block)
{
    return block->data;
}

static Status new_use(Pinned *block, int device, Use **out)
{
    Use *use = mem_new(sizeof *use);
    if (!use)
        return ERR_MEMORY;
    cudaError_t error =
        cudaEventCreateWithFlags(&use->ended, cudaEventDisableTiming);
    if (error != cudaSuccess) {
        mem_free(use);
        return cuda_check((int)error);
    }
    use->device = device;
    use->next = block->uses;
    block->uses = use;
    *out = use;
    return OK;
}

/* The stream's GPU is current. An event that has happened serves again; under
 * the lock, for two threads may copy from one block. */
static Status leave_event(Pinned *block, Stream stream)
{
    pthread_mutex_lock(&lock);
    Use *use = block->uses;
    while (use && (use->device != stream.device || !has_ended(use)))
        use = use->next;
    Status status = use ? OK : new_use(block, stream.device, &use);
    if (status == OK)
        status = cuda_check(
            (int)cudaEventRecord(use->ended, (cudaStream_t)stream.handle));
    pthread_mutex_unlock(&lock);
    return status;
}

Status pinned_in_use(Pinned *block, Stream stream)
{
    int before = -1;
    TRY(device_enter(device_cuda(stream.device), &before));
    Status status = leave_event(block, stream);
    if (status != OK)
        cudaStreamSynchronize((cudaStream_t)stream.handle);
    device_leave(before);
    return status;
}

void pinned_free(Pinned *block)
{
    if (!block)
        return;
    pthread_mutex_lock(&lock);
    block->next = kept;
    kept = block;
    pthread_mutex_unlock(&lock);
}

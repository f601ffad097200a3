/* Bytes at a place, counted; and copies between any two places. */
#include "device/storage.h" // defines: Storage, storage_new, storage_copy
#include "base/alloc.h"     // defines: mem_new, mem_free
#include "device/clock.h"   // defines: clock_charge_host
#include "device/count.h"   // defines: ledger_count_copy
#include "device/memory.h"  // defines: memory_new, memory_free
#include "device/peer.h"    // defines: peer_open
#include "device/pinned.h"  // defines: pinned_new, pinned_in_use, pinned_free
#include "device/stream.h"  // defines: stream_current, stream_wait
#include <cuda_runtime.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

struct Storage {
    atomic_long n_owners;
    atomic_long n_writes; // told by whoever writes; starts at 0
    atomic_long marked;   // n_writes at the last mark
    Device device;        // resolved
    void *data;           // NULL when there are no bytes
    size_t n_bytes;
    Pinned *pinned; // where the data lie; NULL unless they are ours and pinned
    bool borrowed;  // or in the block of this record
    void (*release)(void *context); // of a borrowed one; may be NULL
    void *context;
};

/* The most bytes of host data that share the record's block: one allocation
 * fewer. Under AddressSanitizer a block ends where its data do. */
enum {
#ifdef __SANITIZE_ADDRESS__
    SMALL = 0
#else
    SMALL = 1024
#endif
};

static Storage *new_record(Device device, size_t n_bytes, size_t room_bytes)
{
    Storage *storage = mem_new(sizeof *storage + room_bytes);
    if (!storage)
        return NULL;
    atomic_init(&storage->n_owners, 1);
    storage->device = device;
    storage->n_bytes = n_bytes;
    return storage;
}

static Storage *new_small_on_host(size_t n_bytes)
{
    Storage *storage =
        new_record(device_cpu(), n_bytes, MEMORY_LINE - 1 + n_bytes);
    if (!storage)
        return NULL;
    uintptr_t end = (uintptr_t)(storage + 1);
    storage->data = (char *)(storage + 1) + -end % MEMORY_LINE;
    storage->borrowed = true;
    memset(storage->data, MEMORY_JUNK, n_bytes);
    return storage;
}

Storage *storage_new(Device device, size_t n_bytes)
{
    if (device.kind == DEVICE_CPU && n_bytes > 0 && n_bytes <= SMALL)
        return new_small_on_host(n_bytes);
    Storage *storage = new_record(device, n_bytes, 0);
    if (!storage)
        return NULL;
    if (n_bytes > 0 && memory_new(device, n_bytes, &storage->data) != OK) {
        mem_free(storage);
        return NULL;
    }
    return storage;
}

Storage *storage_new_pinned(size_t n_bytes)
{
    Storage *storage = new_record(device_cpu(), n_bytes, 0);
    if (!storage || n_bytes == 0)
        return storage;
    if (pinned_new(n_bytes, &storage->pinned) != OK) {
        mem_free(storage);
        return NULL;
    }
    storage->data = pinned_data(storage->pinned);
    return storage;
}

Storage *storage_borrow(Device device, void *data, size_t n_bytes,
                        void (*release)(void *context), void *context)
{
    Storage *storage = new_record(device, n_bytes, 0);
    if (!storage)
        return NULL;
    storage->data = data;
    storage->borrowed = true;
    storage->release = release;
    storage->context = context;
    return storage;
}

Storage *storage_retain(Storage *storage)
{
    atomic_fetch_add(&storage->n_owners, 1);
    return storage;
}

void storage_release(Storage *storage)
{
    if (!storage || (atomic_load(&storage->n_owners) > 1 &&
                     atomic_fetch_sub(&storage->n_owners, 1) > 1))
        return; // (the last owner is alone: nobody can retain meanwhile)
    if (storage->borrowed) {
        if (storage->release)
            storage->release(storage->context);
    } else if (storage->pinned) {
        pinned_free(storage->pinned);
    } else if (storage->data) {
        memory_free(storage->device, storage->data, storage->n_bytes);
    }
    mem_free(storage);
}

/* CUDA knows whose pages are locked. Where the library has not asked it
 * anything yet, it does not begin here: that would fix CUDA_VISIBLE_DEVICES. */
bool storage_is_pinned(const Storage *storage)
{
    if (storage->pinned || device_is_cuda(storage->device))
        return storage->pinned != NULL;
    struct cudaPointerAttributes facts;
    if (!storage->data || !cuda_is_initialized())
        return false;
    if (cudaPointerGetAttributes(&facts, storage->data) == cudaSuccess)
        return facts.type == cudaMemoryTypeHost;
    cudaGetLastError();
    return false;
}

bool storage_is_shared(const Storage *storage)
{
    return atomic_load(&storage->n_owners) > 1;
}

long storage_writes(const Storage *storage)
{
    return atomic_load(&storage->n_writes);
}

void storage_written(Storage *storage, long n)
{
    atomic_fetch_add(&storage->n_writes, n);
}

void storage_mark_write(Storage *storage)
{
    atomic_store(&storage->marked, storage_writes(storage));
}

long storage_marked_write(const Storage *storage)
{
    return atomic_load(&storage->marked);
}

void *storage_data(const Storage *storage)
{
    return storage->data;
}

size_t storage_bytes(const Storage *storage)
{
    return storage->n_bytes;
}

Device storage_device(const Storage *storage)
{
    return storage->device;
}

/* A copy from one place to another. host: our pinned block on the host's side,
 * or NULL; is_plain: nobody has pinned it. waits: the host goes on when it is
 * done. */
typedef struct Copy {
    void *to;
    const void *from;
    size_t n_bytes;
    Pinned *host;
    bool is_plain, waits;
} Copy;

/* Plain memory is staged, or waited for, during the call: then the host may go
 * on. A GPU that reaches plain memory by itself may still be reading it.
 * source  CUDA Runtime API, API synchronization behavior */
static Status must_wait(int gpu, const Copy *copy, bool *out)
{
    int reaches = 0;
    *out = copy->waits;
    if (copy->is_plain && !copy->waits)
        TRY(cuda_check((int)cudaDeviceGetAttribute(
            &reaches, cudaDevAttrPageableMemoryAccess, gpu)));
    *out = copy->waits || reaches;
    return OK;
}

/* The host takes part: queue the copy on the GPU's stream. */
static Status copy_with_host(Device gpu, const Copy *copy,
                             enum cudaMemcpyKind kind)
{
    int before = -1;
    bool waits = true;
    TRY(must_wait(gpu.index, copy, &waits));
    TRY(device_enter(gpu, &before));
    Stream stream = stream_current(gpu.index);
    cudaStream_t handle = (cudaStream_t)stream.handle;
    cudaError_t error =
        cudaMemcpyAsync(copy->to, copy->from, copy->n_bytes, kind, handle);
    bool waited = error == cudaSuccess && waits;
    if (waited)
        error = cudaStreamSynchronize(handle);
    device_leave(before);
    if (waited)
        ledger_count_synchronization();
    TRY(cuda_check((int)error));
    return copy->host && !waits ? pinned_in_use(copy->host, stream) : OK;
}

static Status copy_within(Device gpu, void *to, const void *from, size_t n)
{
    int before = -1;
    TRY(device_enter(gpu, &before));
    cudaError_t error =
        cudaMemcpyAsync(to, from, n, cudaMemcpyDeviceToDevice,
                        (cudaStream_t)stream_current(gpu.index).handle);
    device_leave(before);
    return cuda_check((int)error);
}

/* From GPU to GPU, on the source's stream: it starts when the target's bytes
 * are no longer in use there, and the target goes on when they have come. */
static Status copy_to_peer(Device to_gpu, void *to, Device from_gpu,
                           const void *from, size_t n)
{
    Stream there = stream_current(to_gpu.index);
    Stream here = stream_current(from_gpu.index);
    TRY(peer_open(from_gpu.index, to_gpu.index));
    TRY(stream_wait(here, there));
    int before = -1;
    TRY(device_enter(from_gpu, &before));
    cudaError_t error = cudaMemcpyPeerAsync(
        to, to_gpu.index, from, from_gpu.index, n, (cudaStream_t)here.handle);
    device_leave(before);
    TRY(cuda_check((int)error));
    return stream_wait(there, here);
}

static Status copy_bytes(Device to_device, Device from_device, const Copy *copy)
{
    size_t n = copy->n_bytes;
    if (n == 0)
        return OK;
    bool to_gpu = device_is_cuda(to_device);
    bool from_gpu = device_is_cuda(from_device);
    if (!to_gpu && !from_gpu) {
        memmove(copy->to, copy->from, n);
        clock_charge_host(0, 2.0 * (double)n);
        return OK;
    }
    if (!from_gpu)
        TRY(copy_with_host(to_device, copy, cudaMemcpyHostToDevice));
    else if (!to_gpu)
        TRY(copy_with_host(from_device, copy, cudaMemcpyDeviceToHost));
    else if (to_device.index == from_device.index)
        TRY(copy_within(to_device, copy->to, copy->from, n));
    else
        TRY(copy_to_peer(to_device, copy->to, from_device, copy->from, n));
    ledger_count_copy(to_device, from_device, n);
    return OK;
}

static Status check_range(const Storage *storage, size_t offset, size_t n)
{
    if (offset > storage->n_bytes || n > storage->n_bytes - offset)
        return status_fail(ERR_RUNTIME,
                           "a copy of %zu bytes from byte %zu on leaves its "
                           "storage of %zu bytes",
                           n, offset, storage->n_bytes);
    return OK;
}

static Status copy_storage(Storage *to, size_t to_offset, const Storage *from,
                           size_t from_offset, size_t n_bytes, bool waits)
{
    TRY(check_range(to, to_offset, n_bytes));
    TRY(check_range(from, from_offset, n_bytes));
    const Storage *host = device_is_cuda(to->device) ? from : to;
    Copy copy = {.to = (char *)to->data + to_offset,
                 .from = (const char *)from->data + from_offset,
                 .n_bytes = n_bytes,
                 .host = host->pinned,
                 .is_plain = !waits && !storage_is_pinned(host),
                 .waits = waits};
    return copy_bytes(to->device, from->device, &copy);
}

Status storage_copy(Storage *to, size_t to_offset, const Storage *from,
                    size_t from_offset, size_t n_bytes)
{
    return copy_storage(to, to_offset, from, from_offset, n_bytes, true);
}

Status storage_copy_async(Storage *to, size_t to_offset, const Storage *from,
                          size_t from_offset, size_t n_bytes)
{
    return copy_storage(to, to_offset, from, from_offset, n_bytes, false);
}

Status storage_write(Storage *to, size_t to_offset, const void *from,
                     size_t n_bytes)
{
    TRY(check_range(to, to_offset, n_bytes));
    Copy copy = {.to = (char *)to->data + to_offset,
                 .from = from,
                 .n_bytes = n_bytes,
                 .waits = true};
    return copy_bytes(to->device, device_cpu(), &copy);
}

Status storage_read(const Storage *from, size_t from_offset, void *to,
                    size_t n_bytes)
{
    TRY(check_range(from, from_offset, n_bytes));
    Copy copy = {.to = to,
                 .from = (const char *)from->data + from_offset,
                 .n_bytes = n_bytes,
                 .waits = true};
    return copy_bytes(device_cpu(), from->device, &copy);
}

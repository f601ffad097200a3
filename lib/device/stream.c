/* Streams: which queue is current, and waiting for one another by events. */
#include "device/stream.h" // defines: Stream, stream_current, device_enter
#include "device/count.h"  // defines: ledger_count_synchronization
#include "device/ledger.h" // defines: LEDGER_MAX_DEVICES
#include <cuda_runtime.h>

/* This thread's choice on each GPU; NULL is the default stream. */
static _Thread_local cudaStream_t current[LEDGER_MAX_DEVICES];

Status device_enter(Device device, int *before)
{
    *before = -1;
    if (device.kind != DEVICE_CUDA)
        return OK;
    int was = 0;
    TRY(cuda_check((int)cudaGetDevice(&was)));
    if (was == device.index)
        return OK;
    TRY(cuda_check((int)cudaSetDevice(device.index)));
    *before = was;
    return OK;
}

void device_leave(int before)
{
    if (before >= 0)
        cudaSetDevice(before);
}

Status stream_new(int device, Stream *out)
{
    Device place;
    int before = -1;
    TRY(device_resolve(device_cuda(device), &place));
    TRY(device_enter(place, &before));
    cudaStream_t handle = NULL;
    cudaError_t error =
        cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking);
    device_leave(before);
    TRY(cuda_check((int)error));
    *out = (Stream){place.index, handle};
    return OK;
}

Status stream_destroy(Stream stream)
{
    if (!stream.handle)
        return OK;
    if (current[stream.device] == (cudaStream_t)stream.handle)
        current[stream.device] = NULL;
    return cuda_check((int)cudaStreamDestroy((cudaStream_t)stream.handle));
}

Stream stream_current(int device)
{
    return (Stream){device, current[device]};
}

Stream stream_use(Stream stream)
{
    Stream before = stream_current(stream.device);
    current[stream.device] = (cudaStream_t)stream.handle;
    return before;
}

/* An event belongs to the GPU it was made on, and is recorded there; waiting
 * for it is allowed from any GPU, which must be current for its default
 * stream to be meant. */
static cudaError_t record(Stream other, cudaEvent_t *out)
{
    cudaError_t error = cudaEventCreateWithFlags(out, cudaEventDisableTiming);
    if (error != cudaSuccess)
        return error;
    error = cudaEventRecord(*out, (cudaStream_t)other.handle);
    if (error != cudaSuccess)
        cudaEventDestroy(*out);
    return error;
}

Status stream_wait(Stream waiter, Stream other)
{
    if (waiter.device == other.device && waiter.handle == other.handle)
        return OK;
    int before = -1;
    TRY(device_enter(device_cuda(other.device), &before));
    cudaEvent_t event = NULL;
    cudaError_t error = record(other, &event);
    device_leave(before);
    TRY(cuda_check((int)error));
    Status status = device_enter(device_cuda(waiter.device), &before);
    if (status == OK) {
        error = cudaStreamWaitEvent((cudaStream_t)waiter.handle, event, 0);
        device_leave(before);
        status = cuda_check((int)error);
    }
    cudaEventDestroy(event); // goes once it has happened
    return status;
}

Status stream_synchronize(Stream stream)
{
    int before = -1;
    TRY(device_enter(device_cuda(stream.device), &before));
    cudaError_t error = cudaStreamSynchronize((cudaStream_t)stream.handle);
    device_leave(before);
    ledger_count_synchronization();
    return cuda_check((int)error);
}

/* cudaMemcpy and its kin. */
#include "call.h"             // defines: call_enter, call_leave
#include "copy.h"             // defines: copy_resolve, copy_submit
#include "cuda_runtime_api.h" // defines: the prototypes
#include "memory.h"           // defines: memory_find

static const char *kind_name(enum cudaMemcpyKind kind)
{
    static const char *const names[] = {
        "cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
        "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
        "cudaMemcpyDefault"};
    return (int)kind >= 0 && (int)kind <= 4 ? names[kind] : "?";
}

static cudaError_t copy_now(const char *name, Copy *copy,
                            enum cudaMemcpyKind kind, cudaStream_t handle,
                            bool is_async)
{
    Stream *stream = stream_of(handle);
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    if (stream->device->sticky != cudaSuccess)
        return stream->device->sticky;
    cudaError_t error = copy_resolve(copy, kind);
    if (error != cudaSuccess)
        return error;
    return copy_submit(name, copy, stream, is_async);
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count,
                       enum cudaMemcpyKind kind)
{
    Call call;
    Copy copy = {dst, src, .dst_pitch = count, count, count, 1};
    cudaError_t error =
        call_enter(&call, "cudaMemcpy", NEED_DEVICE, COST(copy_ns));
    if (error == cudaSuccess)
        error = copy_now("cudaMemcpy", &copy, kind, cudaStreamLegacy, false);
    return call_leave(&call, error, "%s, %s, %zu, %s",
                      log_pointer(LOG_TEXT, dst), log_pointer(LOG_TEXT, src),
                      count, kind_name(kind));
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    Call call;
    Copy copy = {dst, src, .dst_pitch = count, count, count, 1};
    cudaError_t error =
        call_enter(&call, "cudaMemcpyAsync", NEED_DEVICE, COST(copy_ns));
    if (error == cudaSuccess)
        error = copy_now("cudaMemcpyAsync", &copy, kind, stream, true);
    return call_leave(&call, error, "%s, %s, %zu, %s, %s",
                      log_pointer(LOG_TEXT, dst), log_pointer(LOG_TEXT, src),
                      count, kind_name(kind), log_stream(LOG_TEXT, stream));
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src,
                         size_t spitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind)
{
    Call call;
    Copy copy = {dst, src, .dst_pitch = dpitch, spitch, width, height};
    cudaError_t error =
        call_enter(&call, "cudaMemcpy2D", NEED_DEVICE, COST(copy_ns));
    if (error == cudaSuccess)
        error = copy_now("cudaMemcpy2D", &copy, kind, cudaStreamLegacy, false);
    return call_leave(&call, error, "%s, %zu, %s, %zu, %zu, %zu, %s",
                      log_pointer(LOG_TEXT, dst), dpitch,
                      log_pointer(LOG_TEXT, src), spitch, width, height,
                      kind_name(kind));
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src,
                              size_t spitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream)
{
    Call call;
    Copy copy = {dst, src, .dst_pitch = dpitch, spitch, width, height};
    cudaError_t error =
        call_enter(&call, "cudaMemcpy2DAsync", NEED_DEVICE, COST(copy_ns));
    if (error == cudaSuccess)
        error = copy_now("cudaMemcpy2DAsync", &copy, kind, stream, true);
    return call_leave(&call, error, "%s, %zu, %s, %zu, %zu, %zu, %s, %s",
                      log_pointer(LOG_TEXT, dst), dpitch,
                      log_pointer(LOG_TEXT, src), spitch, width, height,
                      kind_name(kind), log_stream(LOG_TEXT, stream));
}

/* Peer copies name the devices: each pointer must be that device's. */
static cudaError_t peer_copy(const char *name, Copy *copy, int dst_device,
                             int src_device, cudaStream_t handle)
{
    Device *dst = device_at(dst_device);
    Device *src = device_at(src_device);
    if (dst == NULL || src == NULL)
        return cudaErrorInvalidDevice;
    cudaError_t error = copy_resolve(copy, cudaMemcpyDefault);
    if (error != cudaSuccess || copy->width == 0)
        return error;
    if (copy->dst_device != dst || copy->src_device != src)
        return cudaErrorInvalidValue;
    device_activate(dst);
    device_activate(src);
    // The calls of CUDA that name no stream do not wait for the host either.
    return copy_now(name, copy, cudaMemcpyDeviceToDevice, handle, true);
}

cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src,
                           int srcDevice, size_t count)
{
    Call call;
    Copy copy = {dst, src, .dst_pitch = count, count, count, 1};
    cudaError_t error =
        call_enter(&call, "cudaMemcpyPeer", NEED_DEVICE, COST(copy_ns));
    if (error == cudaSuccess)
        error = peer_copy("cudaMemcpyPeer", &copy, dstDevice, srcDevice,
                          cudaStreamLegacy);
    return call_leave(&call, error, "%s, %d, %s, %d, %zu",
                      log_pointer(LOG_TEXT, dst), dstDevice,
                      log_pointer(LOG_TEXT, src), srcDevice, count);
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src,
                                int srcDevice, size_t count,
                                cudaStream_t stream)
{
    Call call;
    Copy copy = {dst, src, .dst_pitch = count, count, count, 1};
    cudaError_t error =
        call_enter(&call, "cudaMemcpyPeerAsync", NEED_DEVICE, COST(copy_ns));
    if (error == cudaSuccess)
        error = peer_copy("cudaMemcpyPeerAsync", &copy, dstDevice, srcDevice,
                          stream);
    return call_leave(&call, error, "%s, %d, %s, %d, %zu, %s",
                      log_pointer(LOG_TEXT, dst), dstDevice,
                      log_pointer(LOG_TEXT, src), srcDevice, count,
                      log_stream(LOG_TEXT, stream));
}

/* Copies: what they check, what they cost, and what they do. */
#include "copy.h" // defines: this file's interface

#include <stdlib.h> // defines: malloc, free
#include <string.h> // defines: memmove

#include "clock.h"  // defines: clock_ns_of
#include "memory.h" // defines: memory_find, memory_translate

/* A pageable source up to this size is taken when the call is made; a larger
 * one passes through the driver's buffers and holds the caller up. */
enum { STAGED_BYTES = 64 << 10 };

enum { MAX_PITCH = INT32_MAX }; // cudaDeviceProp's memPitch

/* The bytes from the first row's start to the last row's end. */
static size_t extent(const Copy *copy, size_t pitch)
{
    return pitch * (copy->height - 1) + copy->width;
}

static cudaError_t resolve_end(const void *p, size_t bytes, Device **device,
                               bool *pinned)
{
    const Allocation *a = memory_find(p);
    *device = a && a->kind == MEMORY_DEVICE ? a->device : NULL;
    *pinned = a && a->kind != MEMORY_DEVICE;
    if (memory_bytes(p, bytes) == NULL)
        return cudaErrorInvalidValue;
    return *device ? (*device)->sticky : cudaSuccess;
}

static bool contradicts(const Copy *copy, enum cudaMemcpyKind kind)
{
    bool to_device = copy->dst_device != NULL;
    bool from_device = copy->src_device != NULL;
    switch (kind) {
    case cudaMemcpyHostToHost:
        return to_device || from_device;
    case cudaMemcpyHostToDevice:
        return !to_device || from_device;
    case cudaMemcpyDeviceToHost:
        return to_device || !from_device;
    case cudaMemcpyDeviceToDevice:
        return !to_device || !from_device;
    default:
        return false;
    }
}

cudaError_t copy_resolve(Copy *copy, enum cudaMemcpyKind kind)
{
    if ((int)kind < 0 || (int)kind > (int)cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (copy->width == 0 || copy->height == 0)
        return cudaSuccess;
    if (copy->dst == NULL || copy->src == NULL)
        return cudaErrorInvalidValue;
    // A single row has no next one, and may be as long as memory is.
    bool far = copy->height > 1 &&
               (copy->dst_pitch > MAX_PITCH || copy->src_pitch > MAX_PITCH);
    if (copy->dst_pitch < copy->width || copy->src_pitch < copy->width || far)
        return cudaErrorInvalidPitchValue;
    if (copy->height > SIZE_MAX / MAX_PITCH)
        return cudaErrorInvalidValue;
    cudaError_t error = resolve_end(copy->dst, extent(copy, copy->dst_pitch),
                                    &copy->dst_device, &copy->dst_pinned);
    if (error == cudaSuccess)
        error = resolve_end(copy->src, extent(copy, copy->src_pitch),
                            &copy->src_device, &copy->src_pinned);
    if (error == cudaSuccess && contradicts(copy, kind))
        error = cudaErrorInvalidValue;
    return error;
}

static void move_rows(unsigned char *dst, size_t dst_pitch,
                      const unsigned char *src, size_t src_pitch, size_t width,
                      size_t height)
{
    for (size_t i = 0; i < height; i++)
        memmove(dst + i * dst_pitch, src + i * src_pitch, width);
}

static void count(const Copy *copy, const Task *task)
{
    int from = copy->src_device ? copy->src_device->ordinal : SIM_HOST;
    int to = copy->dst_device ? copy->dst_device->ordinal : SIM_HOST;
    CudasimLinkCounters *link = &sim.links[from][to];
    link->n_copies++;
    link->copied_bytes += copy->width * copy->height;
    link->busy_ns += (uint64_t)task->duration_ns;
}

static cudaError_t run_copy(Task *task)
{
    const Copy *copy = task_payload(task);
    if (fail_now(CUDASIM_FAIL_COPY))
        return cudaErrorLaunchFailure;
    // Memory may have been freed since (cudaFreeAsync, cudaHostUnregister).
    unsigned char *dst = memory_bytes(copy->dst, extent(copy, copy->dst_pitch));
    const unsigned char *src = copy->staged;
    size_t src_pitch = copy->width;
    if (src == NULL) {
        src = memory_bytes(copy->src, extent(copy, copy->src_pitch));
        src_pitch = copy->src_pitch;
    }
    if (dst == NULL || src == NULL)
        return cudaErrorIllegalAddress;
    move_rows(dst, copy->dst_pitch, src, src_pitch, copy->width, copy->height);
    count(copy, task);
    return cudaSuccess;
}

static void drop_copy(Task *task)
{
    Copy *copy = task_payload(task);
    free(copy->staged);
}

static Engine copy_engine(const Device *device, Engine wished)
{
    return device->model->n_copy_engines > 1 ? wished : ENGINE_COPY_IN;
}

/* Whether bytes go straight from one GPU to the other: one of the two reaches
 * the other's memory, by peer access or by the list of its pool. */
static bool is_direct(const Copy *copy)
{
    return memory_translate(copy->src_device, copy->dst, 0) != NULL ||
           memory_translate(copy->dst_device, copy->src, 0) != NULL;
}

static int64_t link_ns(LinkCost link, size_t bytes)
{
    return link.t0_ns + clock_ns_of((double)bytes, link.bytes_per_s);
}

/* Which engines and links the copy takes, and for how long. */
static void plan(Task *task, const Copy *copy)
{
    Device *dst = copy->dst_device;
    Device *src = copy->src_device;
    size_t bytes = copy->width * copy->height;
    task->bytes = bytes;
    if (dst != NULL && src != NULL && dst != src) {
        bool direct = is_direct(copy);
        task->engine = copy_engine(src, ENGINE_COPY_OUT);
        task->engine_device = src;
        task->peer = dst;
        task->peer_engine = copy_engine(dst, ENGINE_COPY_IN);
        task->host_link = direct ? 0 : 1;
        task->duration_ns =
            link_ns(direct ? sim.machine.peer_on : sim.machine.peer_off, bytes);
    } else if (dst != NULL && src != NULL) {
        task->engine = ENGINE_COMPUTE;
        task->engine_device = dst;
        task->duration_ns =
            dst->model->kernel_ns +
            clock_ns_of((double)bytes, dst->model->copy_bytes_per_s);
    } else if (dst != NULL) {
        task->engine = copy_engine(dst, ENGINE_COPY_IN);
        task->engine_device = dst;
        task->host_link = 1;
        task->duration_ns = link_ns(copy->src_pinned ? dst->model->h2d_pinned
                                                     : dst->model->h2d_pageable,
                                    bytes);
    } else if (src != NULL) {
        task->engine = copy_engine(src, ENGINE_COPY_OUT);
        task->engine_device = src;
        task->host_link = 2;
        task->duration_ns = link_ns(copy->dst_pinned ? src->model->d2h_pinned
                                                     : src->model->d2h_pageable,
                                    bytes);
    } else {
        task->duration_ns = clock_host_ns(0, 2.0 * (double)bytes);
    }
}

static Task *copy_task(const char *name, const Copy *copy)
{
    Task *task = task_new(name, sizeof *copy);
    if (task == NULL)
        return NULL;
    *(Copy *)task_payload(task) = *copy;
    task->run = run_copy;
    task->drop = drop_copy;
    plan(task, copy);
    return task;
}

/* Take the rows of a pageable source now. */
static bool stage(Copy *copy)
{
    size_t bytes = copy->width * copy->height;
    copy->staged = malloc(bytes);
    if (copy->staged == NULL)
        return false;
    move_rows(copy->staged, copy->width, copy->src, copy->src_pitch,
              copy->width, copy->height);
    clock_charge(clock_host_ns(0, 2.0 * (double)bytes));
    return true;
}

/* A copy between two GPUs in the default stream starts when all that was
 * issued to either has ended, and all that is issued later waits for it. */
static void serialise(Task *task, const Copy *copy)
{
    task_after_device(task, copy->dst_device);
    task_after_device(task, copy->src_device);
}

static cudaError_t serialise_later(Task *task, const Copy *copy,
                                   const Stream *stream)
{
    const Device *own = stream->device;
    Device *ends[2] = {copy->dst_device, copy->src_device};
    for (int i = 0; i < 2; i++) {
        if (ends[i] == own)
            continue;
        cudaError_t error = stream_mark(ends[i]->legacy, "peer copy", task);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

/* Whether the caller is held up until the copy is done. */
static bool waits(const Copy *copy, bool is_async)
{
    bool to_host = copy->dst_device == NULL;
    bool from_host = copy->src_device == NULL;
    if (!to_host && !from_host)
        return false;
    if (!is_async)
        return true;
    if (to_host && from_host)
        return true;
    if (to_host)
        return !copy->dst_pinned;
    return !copy->src_pinned && copy->staged == NULL;
}

cudaError_t copy_submit(const char *name, const Copy *original, Stream *stream,
                        bool is_async)
{
    Copy copy = *original;
    if (copy.width == 0 || copy.height == 0)
        return cudaSuccess;
    bool pageable_in =
        copy.src_device == NULL && !copy.src_pinned && copy.dst_device != NULL;
    if (is_async && pageable_in && copy.width * copy.height <= STAGED_BYTES &&
        !stage(&copy))
        return cudaErrorMemoryAllocation;
    Task *task = copy_task(name, &copy);
    if (task == NULL) {
        free(copy.staged);
        return cudaErrorMemoryAllocation;
    }
    bool across = copy.src_device != NULL && copy.dst_device != NULL &&
                  copy.src_device != copy.dst_device &&
                  stream == stream->device->legacy;
    if (across)
        serialise(task, &copy);
    task_hold(task);
    cudaError_t error = stream_push(stream, task);
    if (error == cudaSuccess && across)
        error = serialise_later(task, &copy, stream);
    if (error == cudaSuccess && waits(&copy, is_async)) {
        task_wait(task);
        clock_charge(sim.machine.costs.sync_ns);
        error = stream->device->sticky;
    }
    task_release(task);
    return error;
}

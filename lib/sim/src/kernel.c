/* Running a kernel: its pointers translated, its faults caught.
 *
 * A pointer that the device may follow is replaced by where the bytes are.
 * One that it may not is left to fault when it is followed, as on a GPU: other
 * devices' and freed addresses lie in reserved ranges anyway, and a host
 * address is replaced by one that no computer has. */
#include <setjmp.h> // defines: sigsetjmp
#include <stdio.h>  // defines: fprintf
#include <stdlib.h> // defines: calloc, malloc, free
#include <string.h> // defines: memcpy

#include "bucket.h"           // defines: bucket_of
#include "call.h"             // defines: call_enter, call_leave
#include "cuda_runtime_api.h" // defines: the prototypes
#include "fault.h"            // defines: fault_take
#include "memory.h"           // defines: memory_translate
#include "stream.h"           // defines: stream_push
#include "thread.h"           // defines: host_thread

enum {
    MAX_THREADS = 1024,
    MAX_BLOCK_Z = 64,
    MAX_GRID_YZ = 65535,
    SMALL_ARGUMENTS = 512, // bytes that need no allocation
};

/* The system's half of the address space, on x86-64 and arm64: whoever goes
 * there gets SIGSEGV. (An address that is not canonical would do, but for
 * SIGBUS where the processor takes it for one of the stack.) */
#define NOWHERE ((uintptr_t)0xFFFF8DEAD0000000)

typedef struct Known {
    const void *func;
    struct Known *next; // in its bucket
    CudasimKernel info;
    int max_shared_bytes; // cudaFuncAttributeMaxDynamicSharedMemorySize
} Known;

enum { N_BUCKETS = 256 }; // a power of two

static Known *known[N_BUCKETS];

typedef struct Launch {
    CudasimKernel info;
    dim3 grid, block;
    _Alignas(16) unsigned char arguments[];
} Launch;

static Known *find(const void *func)
{
    Known *k = known[bucket_of(func, N_BUCKETS)];
    while (k != NULL && k->func != func)
        k = k->next;
    return k;
}

static cudaError_t enter(const void *func, const CudasimKernel *info)
{
    if (func == NULL || info == NULL || info->name == NULL ||
        info->run == NULL || info->n_pointers < 0 ||
        (size_t)info->n_pointers > info->args_bytes / sizeof(void *) ||
        info->rate < 0 || info->rate >= CUDASIM_N_RATES)
        return cudaErrorInvalidValue;
    Known *k = find(func);
    if (k == NULL) {
        Known **bucket = &known[bucket_of(func, N_BUCKETS)];
        k = calloc(1, sizeof *k);
        if (k == NULL)
            return cudaErrorMemoryAllocation;
        k->next = *bucket;
        *bucket = k;
    }
    *k = (Known){.func = func, .next = k->next, .info = *info};
    return cudaSuccess;
}

/* No call frame: registering is not CUDA's, and comes before all else. */
cudaError_t cudasimRegisterKernel(const void *func, const CudasimKernel *info)
{
    pthread_mutex_lock(&sim_lock);
    cudaError_t error = enter(func, info);
    pthread_mutex_unlock(&sim_lock);
    return error;
}

/* Replace the pointers in the arguments by what this device sees there. */
static void translate(const Device *device, void *arguments, int n_pointers)
{
    for (int i = 0; i < n_pointers; i++) {
        unsigned char *field =
            (unsigned char *)arguments + (size_t)i * sizeof(void *);
        void *p;
        uint64_t offset;
        memcpy(&p, field, sizeof p);
        void *real = p ? memory_translate(device, p, 0) : NULL;
        if (p != NULL && real == NULL &&
            arena_owner((uintptr_t)p, &offset) == NULL)
            real = (void *)(NOWHERE | ((uintptr_t)p & 15));
        else if (real == NULL)
            real = p;
        memcpy(field, &real, sizeof real);
    }
}

/* Say in the log what the kernel did wrong. */
static void explain(const Launch *launch, const Device *device)
{
    for (int i = 0; i < launch->info.n_pointers; i++) {
        void *p;
        uint64_t offset;
        memcpy(&p, launch->arguments + (size_t)i * sizeof p, sizeof p);
        if (p == NULL || memory_translate(device, p, 0) != NULL)
            continue;
        const Device *owner = arena_owner((uintptr_t)p, &offset);
        if (owner == NULL)
            fault_note("kernel %s on GPU %d: pointer %d is host memory that "
                       "is not page-locked",
                       launch->info.name, device->ordinal, i);
        else if (memory_find(p) == NULL)
            fault_note("kernel %s on GPU %d: pointer %d is freed memory",
                       launch->info.name, device->ordinal, i);
        else
            fault_note("kernel %s on GPU %d: pointer %d is GPU %d's memory "
                       "and peer access is not enabled",
                       launch->info.name, device->ordinal, i, owner->ordinal);
        return;
    }
    fault_note("kernel %s on GPU %d ran outside the memory it was given",
               launch->info.name, device->ordinal);
}

static cudaError_t run_kernel(Task *task)
{
    Launch *launch = task_payload(task);
    Device *device = task->device;
    size_t bytes = launch->info.args_bytes;
    if (fail_now(CUDASIM_FAIL_LAUNCH))
        return cudaErrorLaunchFailure;
    device->counters.n_launches++;
    _Alignas(16) unsigned char small[SMALL_ARGUMENTS];
    void *arguments = bytes <= sizeof small ? small : malloc(bytes);
    if (arguments == NULL)
        return cudaErrorLaunchFailure;
    memcpy(arguments, launch->arguments, bytes);
    translate(device, arguments, launch->info.n_pointers);
    cudaError_t error = cudaSuccess;
    FaultHandlers theirs;
    fault_take(&theirs);
    host_thread.kernel = task;
    if (sigsetjmp(host_thread.landing, 0) == 0) {
        host_thread.guarded = true;
        launch->info.run(arguments);
        host_thread.guarded = false;
    } else {
        host_thread.guarded = false;
        device_fault(device, cudaErrorIllegalAddress);
        explain(launch, device);
    }
    host_thread.kernel = NULL;
    fault_return(&theirs);
    if (arguments != small)
        free(arguments);
    return error;
}

void cudasimDeviceAssert(const char *expr, const char *file, int line,
                         const char *kernel, int64_t thread)
{
    Task *task = host_thread.kernel;
    if (task == NULL)
        return; // no kernel is running here
    const Launch *launch = task_payload(task);
    int64_t per_block =
        (int64_t)launch->block.x * launch->block.y * launch->block.z;
    int64_t blocks = (int64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    // A grid-stride loop comes round to the same thread again.
    thread %= per_block * blocks;
    int64_t block = thread / per_block;
    thread %= per_block;
    fprintf(stderr,
            "%s:%d: %s: block: [%lld,%lld,%lld], thread: [%lld,%lld,%lld] "
            "Assertion `%s` failed.\n",
            file, line, kernel, (long long)(block % launch->grid.x),
            (long long)(block / launch->grid.x % launch->grid.y),
            (long long)(block / launch->grid.x / launch->grid.y),
            (long long)(thread % launch->block.x),
            (long long)(thread / launch->block.x % launch->block.y),
            (long long)(thread / launch->block.x / launch->block.y), expr);
    device_fault(task->device, cudaErrorAssert);
}

/* Launching */

static cudaError_t check_shape(const Device *device, const Known *kernel,
                               dim3 grid, dim3 block, size_t shared)
{
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || threads == 0 ||
        grid.x > INT32_MAX || grid.y > MAX_GRID_YZ || grid.z > MAX_GRID_YZ ||
        block.x > MAX_THREADS || block.y > MAX_THREADS ||
        block.z > MAX_BLOCK_Z || threads > MAX_THREADS)
        return cudaErrorInvalidConfiguration;
    size_t limit = device->model->shared_per_block_bytes;
    if ((size_t)kernel->max_shared_bytes > limit)
        limit = (size_t)kernel->max_shared_bytes;
    return shared > limit ? cudaErrorInvalidValue : cudaSuccess;
}

static Task *launch_task(const CudasimKernel *info, dim3 grid, dim3 block,
                         void **args, const Device *device)
{
    Task *task = task_new(info->name, sizeof(Launch) + info->args_bytes);
    if (task == NULL)
        return NULL;
    Launch *launch = task_payload(task);
    launch->info = *info;
    launch->grid = grid;
    launch->block = block;
    if (info->args_bytes > 0)
        memcpy(launch->arguments, args[0], info->args_bytes);
    double flops = 0;
    double bytes = 0;
    if (info->cost != NULL)
        info->cost(launch->arguments, &flops, &bytes);
    task->engine = ENGINE_COMPUTE;
    task->duration_ns = kernel_ns(device, (Rate)info->rate, flops, bytes);
    task->run = run_kernel;
    return task;
}

static cudaError_t launch_now(const void *func, dim3 grid, dim3 block,
                              void **args, size_t shared, cudaStream_t handle)
{
    const Known *kernel = find(func);
    Stream *stream = stream_of(handle);
    if (kernel == NULL)
        return cudaErrorInvalidDeviceFunction;
    // A kernel runs on the current device only, in one of its streams.
    if (stream == NULL || stream->device != device_current())
        return cudaErrorInvalidResourceHandle;
    cudaError_t error =
        check_shape(stream->device, kernel, grid, block, shared);
    if (error != cudaSuccess)
        return error;
    if (kernel->info.args_bytes > 0 && (args == NULL || args[0] == NULL))
        return cudaErrorInvalidValue;
    Task *task = launch_task(&kernel->info, grid, block, args, stream->device);
    if (task == NULL)
        return cudaErrorMemoryAllocation;
    return stream_push(stream, task);
}

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim,
                             void **args, size_t sharedMem, cudaStream_t stream)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaLaunchKernel", NEED_DEVICE, COST(launch_ns));
    if (error == cudaSuccess)
        error = launch_now(func, gridDim, blockDim, args, sharedMem, stream);
    const Known *kernel = find(func);
    return call_leave(&call, error, "%s, [%u,%u,%u], [%u,%u,%u], args, %zu, %s",
                      kernel ? kernel->info.name : "?", gridDim.x, gridDim.y,
                      gridDim.z, blockDim.x, blockDim.y, blockDim.z, sharedMem,
                      log_stream(LOG_TEXT, stream));
}

/* Attributes */

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr,
                                  const void *func)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaFuncGetAttributes", NEED_DEVICE, COST(call_ns));
    const Known *kernel = find(func);
    if (error == cudaSuccess && attr == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && kernel == NULL)
        error = cudaErrorInvalidDeviceFunction;
    if (error == cudaSuccess) {
        const GpuModel *model = device_current()->model;
        int version = model->cc_major * 10 + model->cc_minor;
        int shared = (int)model->shared_per_block_bytes;
        *attr = (struct cudaFuncAttributes){
            .maxThreadsPerBlock = MAX_THREADS,
            .numRegs = 32,
            .ptxVersion = version,
            .binaryVersion = version,
            .maxDynamicSharedSizeBytes =
                kernel->max_shared_bytes ? kernel->max_shared_bytes : shared,
            .preferredShmemCarveout = -1};
    }
    return call_leave(&call, error, "%s", kernel ? kernel->info.name : "?");
}

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr,
                                 int value)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaFuncSetAttribute", NEED_DEVICE, COST(call_ns));
    Known *kernel = find(func);
    if (error == cudaSuccess && kernel == NULL)
        error = cudaErrorInvalidDeviceFunction;
    if (error == cudaSuccess) {
        size_t most = device_current()->model->shared_per_block_optin_bytes;
        if (attr == cudaFuncAttributeMaxDynamicSharedMemorySize && value >= 0 &&
            (size_t)value <= most)
            kernel->max_shared_bytes = value;
        else if (attr != cudaFuncAttributePreferredSharedMemoryCarveout ||
                 value < -1 || value > 100)
            error = cudaErrorInvalidValue;
    }
    return call_leave(&call, error, "%s, %d, %d",
                      kernel ? kernel->info.name : "?", (int)attr, value);
}

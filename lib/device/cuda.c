/* The GPUs there are: questions, the current one, and CUDA's failures. */
#include "device/count.h"  // defines: ledger_count_synchronization
#include "device/device.h" // defines: device_resolve, cuda_check, CudaScope
#include "device/ledger.h" // defines: LEDGER_MAX_DEVICES
#include "device/stream.h" // defines: device_enter, device_leave
#include <cuda_runtime.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many GPUs, once CUDA has said so: it never changes its mind. */
static atomic_int known_count = -1;

/* Count the GPUs, or fail with the sentence for having none. */
static Status count_devices(int *out)
{
    int count = atomic_load(&known_count);
    if (count >= 0) {
        *out = count;
        return OK;
    }
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count > 0) {
        atomic_store(&known_count, count);
        *out = count;
        return OK;
    }
    cudaGetLastError();
    if (error == cudaErrorInsufficientDriver || error == cudaErrorStubLibrary) {
        int version = 0;
        if (cudaDriverGetVersion(&version) != cudaSuccess || version <= 0)
            return status_fail(
                ERR_CUDA, "Found no NVIDIA driver on your system. Please check "
                          "that you have an NVIDIA GPU and installed a driver "
                          "from http://www.nvidia.com/Download/index.aspx");
        return status_fail(
            ERR_CUDA,
            "The NVIDIA driver on your system is too old (found version %d). "
            "Please update your GPU driver by downloading and installing a new "
            "version from the URL: http://www.nvidia.com/Download/index.aspx "
            "Alternatively, go to: https://pytorch.org to install a PyTorch "
            "version that has been compiled with your version of the CUDA "
            "driver.",
            version);
    }
    if (error == cudaErrorUnknown)
        return status_fail(
            ERR_CUDA, "CUDA unknown error - this may be due to an incorrectly "
                      "set up environment, e.g. changing env variable "
                      "CUDA_VISIBLE_DEVICES after program start. Setting the "
                      "available devices to be zero.");
    if (error == cudaSuccess || error == cudaErrorNoDevice)
        return status_fail(ERR_CUDA, "No CUDA GPUs are available");
    return cuda_check((int)error);
}

Status cuda_check(int cuda_error)
{
    if (cuda_error == cudaSuccess)
        return OK;
    cudaGetLastError(); // it is told here; let no later call tell it again
    const char *words = cudaGetErrorString((cudaError_t)cuda_error);
    const char *blocking = getenv("CUDA_LAUNCH_BLOCKING");
    if (blocking && atoi(blocking) != 0)
        return status_fail(ERR_CUDA, "CUDA error: %s", words);
    return status_fail(
        ERR_CUDA,
        "CUDA error: %s\n"
        "CUDA kernel errors might be asynchronously reported at some other API "
        "call, so the stacktrace below might be incorrect.\n"
        "For debugging consider passing CUDA_LAUNCH_BLOCKING=1.\n"
        "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.",
        words);
}

static Status resolve_gpu(Device device, Device *out)
{
    int count = 0;
    TRY(count_devices(&count));
    int index = device.index;
    if (index < 0)
        TRY(cuda_check((int)cudaGetDevice(&index)));
    if (index >= count)
        return cuda_check(cudaErrorInvalidDevice);
    *out = device_cuda(index);
    return OK;
}

Status device_resolve(Device device, Device *out)
{
    if (device.index < -1)
        return status_fail(ERR_RUNTIME, "Device index must not be negative");
    if (device.kind == DEVICE_CUDA)
        return resolve_gpu(device, out);
    if (device.index > 0)
        return status_fail(ERR_RUNTIME,
                           "CPU device index must be -1 or zero, got %d",
                           device.index);
    *out = device_cpu();
    return OK;
}

int cuda_device_count(void)
{
    Status before = status_peek();
    int count = 0;
    if (count_devices(&count) != OK) {
        // PyTorch only warns here. Keep an older failure, drop this one.
        if (before == OK)
            status_take();
        return 0;
    }
    return count;
}

bool cuda_is_initialized(void)
{
    return atomic_load(&known_count) >= 0;
}

bool cuda_is_available(void)
{
    return cuda_device_count() > 0;
}

Device try_gpu(int index)
{
    if (index >= 0 && cuda_device_count() >= index + 1)
        return device_cuda(index);
    return device_cpu();
}

int cuda_current_device(void)
{
    Device current;
    if (device_resolve(device_cuda(-1), &current) != OK)
        return -1;
    return current.index;
}

Status cuda_set_device(int index)
{
    if (index < 0)
        return OK;
    Device device;
    TRY(device_resolve(device_cuda(index), &device));
    return cuda_check((int)cudaSetDevice(device.index));
}

/* Is this index one of a visible GPU's? In PyTorch's words if not. */
static Status check_id(int index)
{
    int count = 0;
    TRY(count_devices(&count));
    if (index < 0 || index >= count)
        return status_fail(ERR_ASSERTION, "Invalid device id");
    return OK;
}

const char *cuda_device_name(int index)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static char names[LEDGER_MAX_DEVICES][256];
    CudaProperties properties;
    if (cuda_properties(index, &properties) != OK)
        return NULL;
    char *name = names[index];
    pthread_mutex_lock(&lock);
    if (name[0] == '\0')
        strcpy(name, properties.name);
    pthread_mutex_unlock(&lock);
    return name;
}

Status cuda_properties(int index, CudaProperties *out)
{
    TRY(check_id(index));
    struct cudaDeviceProp found;
    TRY(cuda_check((int)cudaGetDeviceProperties(&found, index)));
    CudaProperties properties = {
        .major = found.major,
        .minor = found.minor,
        .total_bytes = found.totalGlobalMem,
        .n_multiprocessors = found.multiProcessorCount,
        .max_threads_per_multiprocessor = found.maxThreadsPerMultiProcessor,
    };
    snprintf(properties.name, sizeof properties.name, "%s", found.name);
    size_t n = 0;
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            properties.uuid[n++] = '-';
        n += (size_t)snprintf(properties.uuid + n, sizeof properties.uuid - n,
                              "%02x", (unsigned char)found.uuid.bytes[i]);
    }
    TRY(cuda_check((int)cudaDeviceGetPCIBusId(
        properties.pci_bus_id, (int)sizeof properties.pci_bus_id, index)));
    *out = properties;
    return OK;
}

Status cuda_mem_info(int index, size_t *free_bytes, size_t *total_bytes)
{
    Device device;
    int before = -1;
    TRY(device_resolve(device_cuda(index), &device));
    TRY(device_enter(device, &before));
    cudaError_t error = cudaMemGetInfo(free_bytes, total_bytes);
    device_leave(before);
    return cuda_check((int)error);
}

Status cuda_synchronize(int index)
{
    Device device;
    int before = -1;
    TRY(device_resolve(device_cuda(index), &device));
    TRY(device_enter(device, &before));
    cudaError_t error = cudaDeviceSynchronize();
    device_leave(before);
    ledger_count_synchronization();
    return cuda_check((int)error);
}

Status cuda_scope_make(Device device, CudaScope *out)
{
    if (device.kind != DEVICE_CUDA)
        return status_fail(ERR_VALUE, "Expected a cuda device, but got: %s",
                           device_str(device).text);
    if (device.index < 0)
        TRY(device_resolve(device, &device));
    *out = (CudaScope){device, -1};
    return OK;
}

Status cuda_scope_enter(CudaScope *scope)
{
    int previous = cuda_current_device();
    if (previous < 0)
        return status_peek();
    TRY(cuda_set_device(scope->device.index));
    scope->previous = previous;
    return OK;
}

Status cuda_scope_leave(CudaScope *scope)
{
    int previous = scope->previous;
    scope->previous = -1;
    return cuda_set_device(previous);
}

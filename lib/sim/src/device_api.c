/* Devices: counting, choosing, asking and waiting. */
#include <ctype.h>  // defines: isxdigit
#include <stdio.h>  // defines: snprintf, sscanf
#include <string.h> // defines: strlen

#include "call.h"             // defines: call_enter, call_leave
#include "cuda_runtime_api.h" // defines: the prototypes
#include "device_facts.h"     // defines: device_properties
#include "event.h"            // defines: event_drop_all
#include "memory.h"           // defines: memory_drop_all
#include "pool.h"             // defines: pool_reset
#include "stream.h"           // defines: device_wait
#include "thread.h"           // defines: host_thread

cudaError_t cudaGetDeviceCount(int *count)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaGetDeviceCount", NEED_DRIVER, COST(call_ns));
    if (error == cudaSuccess && count == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *count = sim.n_devices;
    return call_leave(&call, error, "%d", sim.n_devices);
}

cudaError_t cudaSetDevice(int device)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaSetDevice", NEED_DRIVER, COST(call_ns));
    if (error == cudaSuccess && device_at(device) == NULL)
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess) {
        host_thread.device = device;
        device_activate(device_at(device));
    }
    return call_leave(&call, error, "%d", device);
}

cudaError_t cudaGetDevice(int *device)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaGetDevice", NEED_DRIVER, COST(call_ns));
    if (error == cudaSuccess && device == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *device = host_thread.device;
    return call_leave(&call, error, "%d", host_thread.device);
}

static bool are_flags(unsigned flags)
{
    unsigned schedule = flags & cudaDeviceScheduleMask;
    return (flags & ~(unsigned)cudaDeviceMask) == 0 &&
           (schedule & (schedule - 1)) == 0; // one way to wait at most
}

cudaError_t cudaInitDevice(int device, unsigned int deviceFlags,
                           unsigned int flags)
{
    enum { FLAGS_ARE_VALID = 1 }; // cudaInitDeviceFlagsAreValid
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaInitDevice", NEED_DRIVER, COST(call_ns));
    Device *found = error == cudaSuccess ? device_at(device) : NULL;
    if (error == cudaSuccess && found == NULL)
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess &&
        (flags > FLAGS_ARE_VALID || !are_flags(deviceFlags)))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        device_activate(found);
        if (flags == FLAGS_ARE_VALID)
            found->flags = deviceFlags;
    }
    return call_leave(&call, error, "%d, %#x, %#x", device, deviceFlags, flags);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaSetDeviceFlags", NEED_DRIVER, COST(call_ns));
    if (error == cudaSuccess && !are_flags(flags))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        device_current()->flags = flags;
    return call_leave(&call, error, "%#x", flags);
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaGetDeviceFlags", NEED_DRIVER, COST(call_ns));
    if (error == cudaSuccess && flags == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *flags = device_current()->flags | cudaDeviceMapHost;
    return call_leave(&call, error, "%s", "");
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    Call call;
    cudaError_t error = call_enter(&call, "cudaGetDeviceProperties",
                                   NEED_DRIVER, COST(call_ns));
    if (error == cudaSuccess && prop == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && device_at(device) == NULL)
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess)
        device_properties(device_at(device), prop);
    return call_leave(&call, error, "prop, %d", device);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr,
                                   int device)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaDeviceGetAttribute", NEED_DRIVER, COST(call_ns));
    if (error == cudaSuccess && value == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && device_at(device) == NULL)
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess)
        error = device_attribute(device_at(device), attr, value);
    return call_leave(&call, error, "%d, %d, %d",
                      error == cudaSuccess ? *value : 0, (int)attr, device);
}

/* "0000:89:00.0", or without the domain, or without the function. */
static Device *by_bus_id(const char *text)
{
    unsigned domain = 0;
    unsigned bus;
    unsigned slot;
    unsigned function = 0;
    if (sscanf(text, "%x:%x:%x.%u", &domain, &bus, &slot, &function) < 3) {
        domain = 0;
        if (sscanf(text, "%x:%x.%u", &bus, &slot, &function) < 2)
            return NULL;
    }
    for (int i = 0; i < sim.n_devices; i++) {
        const GpuModel *m = sim.devices[i].model;
        if ((unsigned)m->pci_domain == domain && (unsigned)m->pci_bus == bus &&
            (unsigned)m->pci_device == slot && function == 0)
            return &sim.devices[i];
    }
    return NULL;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId)
{
    Call call;
    cudaError_t error = call_enter(&call, "cudaDeviceGetByPCIBusId",
                                   NEED_DRIVER, COST(call_ns));
    if (error == cudaSuccess && (device == NULL || pciBusId == NULL))
        error = cudaErrorInvalidValue;
    const Device *found = error == cudaSuccess ? by_bus_id(pciBusId) : NULL;
    if (error == cudaSuccess && found == NULL)
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess)
        *device = found->ordinal;
    return call_leave(&call, error, "\"%s\"", pciBusId ? pciBusId : "");
}

cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaDeviceGetPCIBusId", NEED_DRIVER, COST(call_ns));
    char text[32] = "";
    if (error == cudaSuccess && (pciBusId == NULL || len <= 0))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && device_at(device) == NULL)
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess) {
        const GpuModel *m = device_at(device)->model;
        snprintf(text, sizeof text, "%04X:%02X:%02X.0", (unsigned)m->pci_domain,
                 (unsigned)m->pci_bus, (unsigned)m->pci_device);
        if ((size_t)len <= strlen(text))
            error = cudaErrorInvalidValue;
        else
            memcpy(pciBusId, text, strlen(text) + 1);
    }
    return call_leave(&call, error, "\"%s\", %d, %d", text, len, device);
}

cudaError_t cudaDeviceSynchronize(void)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaDeviceSynchronize", NEED_DEVICE, COST(sync_ns));
    if (error == cudaSuccess)
        error = device_wait(device_current());
    return call_leave(&call, error, "%s", "");
}

/* All that the process has on the device goes. A device that has faulted
 * stays so: CUDA asks that the process be ended (our reading of "must be
 * terminated and relaunched"). */
static cudaError_t reset(Device *device)
{
    cudaError_t error = device_wait(device);
    if (error != cudaSuccess)
        return error;
    memory_drop_all(device);
    event_drop_all(device);
    for (Stream *s = all_streams, *next; s != NULL; s = next) {
        next = s->next;
        if (s->device == device && s != device->legacy)
            stream_destroy(s);
    }
    pool_reset(device);
    device->peers = 0;
    for (int i = 0; i < sim.n_devices; i++)
        sim.devices[i].peers &= ~((uint64_t)1 << device->ordinal);
    device->flags = 0;
    device->active = false; // the next call pays for a new context
    device_use_changed(device);
    return cudaSuccess;
}

cudaError_t cudaDeviceReset(void)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaDeviceReset", NEED_DEVICE, COST(sync_ns));
    if (error == cudaSuccess)
        error = reset(device_current());
    return call_leave(&call, error, "%s", "");
}

/* The device that meets most of the wishes; a wish is a field not 0. */
static int choose(const struct cudaDeviceProp *wish)
{
    int best = 0;
    int best_score = -1;
    for (int i = 0; i < sim.n_devices; i++) {
        struct cudaDeviceProp p;
        device_properties(&sim.devices[i], &p);
        int have = p.major * 10 + p.minor;
        int want = wish->major * 10 + wish->minor;
        int score = (have >= want) * 4 +
                    (p.totalGlobalMem >= wish->totalGlobalMem) * 2 +
                    (p.multiProcessorCount >= wish->multiProcessorCount);
        if (score > best_score) {
            best = i;
            best_score = score;
        }
    }
    return best;
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaChooseDevice", NEED_DRIVER, COST(call_ns));
    if (error == cudaSuccess && (device == NULL || prop == NULL))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *device = choose(prop);
    return call_leave(&call, error, "%d", error == cudaSuccess ? *device : -1);
}

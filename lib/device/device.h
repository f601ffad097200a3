/* Where a tensor can live, and the CUDA devices there are.
 *
 * A Device is a name, two ints; naming an absent GPU does not fail, using it
 * does. Indices are logical: counted from 0 after CUDA_VISIBLE_DEVICES.
 *
 * Threads: everything in this room may be called by any number of them at once.
 * The current GPU and the current streams are each thread's own; the ledger is
 * the process's.
 */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include "base/attributes.h" // defines: API
#include "base/status.h"     // defines: Status
#include <stdbool.h>
#include <stddef.h>

typedef enum DeviceKind { DEVICE_CPU, DEVICE_CUDA } DeviceKind;

/* index: the ordinal, or -1 when none was given ('cpu', 'cuda'). */
typedef struct Device {
    DeviceKind kind;
    int index;
} Device;

/* Short texts by value: device_str(d).text lives as long as its expression. */
typedef struct DeviceText {
    char text[48];
} DeviceText;

API Device device_cpu(void);
API Device device_cuda(int index); // -1: whichever is current when it is used
API bool device_is_cuda(Device device);
API bool device_equal(Device a, Device b);

/* "cuda:7", "cuda", "cpu". */
API DeviceText device_str(Device device);
/* "device(type='cuda', index=7)", "device(type='cpu')". */
API DeviceText device_repr(Device device);

/* Read a device string: "cpu", "cuda", "cuda:7".
 *
 * errors  ERR_RUNTIME  "Invalid device string: 'cuda:01'" and PyTorch's other
 *         sentences; *out is then unchanged
 * source  PyTorch 1.13, torch.device
 */
API Status device_parse(const char *text, Device *out);

/* Fill in the current index of a plain 'cuda', and check that it exists.
 *
 * errors  ERR_CUDA  "CUDA error: invalid device ordinal" + CUDA's advice;
 *         "Found no NVIDIA driver on your system. …"; "No CUDA GPUs are
 *         available"
 */
API Status device_resolve(Device device, Device *out);

/* torch.cuda.*: questions that never fail without a GPU. */
API bool cuda_is_available(void);
API int cuda_device_count(void);
/* Has the library asked CUDA anything yet? Asks nothing itself: the first
 * question fixes CUDA_VISIBLE_DEVICES. */
API bool cuda_is_initialized(void);
/* The device string the seeds pick at the top of a program: cuda:i when at
 * least i + 1 GPUs are visible, the CPU otherwise (silently: see lesson 01). */
API Device try_gpu(int index);

/* The current GPU of this host thread.
 * errors  ERR_CUDA when there is no GPU; -1 then */
API int cuda_current_device(void);
/* Negative: nothing happens. errors  ERR_CUDA  invalid device ordinal */
API Status cuda_set_device(int index);

/* Full name, or NULL. errors  ERR_ASSERTION "Invalid device id".
 * owner   the library, forever */
API const char *cuda_device_name(int index);

typedef struct CudaProperties {
    char name[256];
    int major, minor; // compute capability
    size_t total_bytes;
    int n_multiprocessors;
    int max_threads_per_multiprocessor;
    char uuid[48]; // 8-4-4-4-12, no prefix
    char pci_bus_id[32];
} CudaProperties;
API Status cuda_properties(int index, CudaProperties *out);

/* Free and total bytes of a GPU, as cudaMemGetInfo says. */
API Status cuda_mem_info(int index, size_t *free_bytes, size_t *total_bytes);

/* Wait until everything issued to a GPU is done; reports its faults. */
API Status cuda_synchronize(int index);

/* Turn a CUDA error code into a failure with PyTorch's words:
 * "CUDA error: <string>" and the advice lines (dropped under
 * CUDA_LAUNCH_BLOCKING=1). cudaSuccess (0) returns OK. */
API Status cuda_check(int cuda_error);

/* A scope for the current GPU: torch.cuda.device(d). Made, nothing changes;
 * entered, the current device changes; left, it is as before. */
typedef struct CudaScope {
    Device device;
    int previous; // ordinal to return to; -1 when not entered
} CudaScope;
/* errors  ERR_VALUE "Expected a cuda device, but got: cpu" */
API Status cuda_scope_make(Device device, CudaScope *out);
API Status cuda_scope_enter(CudaScope *scope);
API Status cuda_scope_leave(CudaScope *scope);

#endif

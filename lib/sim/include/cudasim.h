/* What the simulator offers beyond CUDA: for kernels, tools and tests.
 *
 * A program about GPUs needs none of this; cuda_runtime.h is its interface.
 * Here are the ways in for those who stand beside the program: the code that
 * registers kernels, the judge that counts copies, the test that makes an
 * allocation fail. Device numbers are CUDA's ordinals in this process (after
 * CUDA_VISIBLE_DEVICES); CUDASIM_HOST stands for the host. Times are
 * nanoseconds of the simulated clock.
 *
 * Threads: as with CUDA, every call of the simulator may be made by any number
 * of them at once, also on one stream or one handle. The current device, the
 * last error and the clock are each thread's own; counters are the process's.
 */
#ifndef CUDASIM_H
#define CUDASIM_H

#include "driver_types.h" // defines: cudaError_t
#include "host_defines.h" // defines: CUDARTAPI
#include <stdint.h>       // defines: int64_t, uint64_t

#ifdef __cplusplus
extern "C" {
#endif

#define CUDASIM_HOST (-1)

/* A kernel: a function over one struct passed by value, pointers first.
 *
 * run          called once per launch, with the host's view of the struct:
 *              the n_pointers leading pointers point where the bytes really
 *              lie. It plays all threads of the grid.
 * args_bytes   the size of that struct
 * cost         what the launch asks of the device: arithmetic operations and
 *              bytes of device memory read and written; sees the struct with
 *              the caller's device addresses, and must not follow them. NULL:
 *              the launch costs only its overhead.
 * rate         which of the device's peak rates the operations are counted in
 */
typedef enum CudasimRate {
    CUDASIM_RATE_FLOAT32,
    CUDASIM_RATE_FLOAT64,
    CUDASIM_RATE_FLOAT16,  // on tensor cores, where the card has them
    CUDASIM_RATE_BFLOAT16, // likewise; no faster than float32 before 8.0
    CUDASIM_RATE_TF32,
    CUDASIM_RATE_INT8,
    CUDASIM_N_RATES
} CudasimRate;

typedef struct CudasimKernel {
    const char *name;
    void (*run)(void *args);
    size_t args_bytes;
    int n_pointers;
    void (*cost)(const void *args, double *flops, double *bytes);
    CudasimRate rate;
} CudasimKernel;

/* Make func a kernel that cudaLaunchKernel knows, on every device.
 *
 * owner   info is copied; name and the functions must stay
 * errors  cudaErrorInvalidValue: func, info, name or run is NULL, n_pointers
 *         is negative or the pointers do not fit in args_bytes
 *         cudaErrorMemoryAllocation
 * Registering func again replaces what was known of it. Any thread, any time.
 */
CUDARTAPI cudaError_t cudasimRegisterKernel(const void *func,
                                            const CudasimKernel *info);

/* From within a running kernel: an assertion failed.
 *
 * Prints the sentence CUDA prints, and leaves the device with
 * cudaErrorAssert (710) for good. Returns; the rest of the kernel's writes
 * are of no consequence, for the device cannot be used again.
 */
CUDARTAPI void cudasimDeviceAssert(const char *expr, const char *file, int line,
                                   const char *kernel, int64_t thread);

/* The simulated time of the calling thread, in ns. */
CUDARTAPI uint64_t cudasimNow(void);

/* Let the calling thread's clock pass as much as the simulated host would
 * need for this much arithmetic and memory traffic.
 */
CUDARTAPI void cudasimChargeHost(double flops, double bytes);

/* Let the calling thread's clock be at least ns: what a thread that was waited
 * for (pthread_join) hands to the one that waited. A new thread's clock starts
 * at that of the thread which made the process's first CUDA call.
 */
CUDARTAPI void cudasimAdvanceTo(uint64_t ns);

/* What has gone over one link, from one end to the other. */
typedef struct CudasimLinkCounters {
    uint64_t n_copies;
    uint64_t copied_bytes;
    uint64_t busy_ns;
} CudasimLinkCounters;

/* What one device has done. Memory is this process's use. */
typedef struct CudasimDeviceCounters {
    uint64_t n_launches; // kernels of the program; cuBLAS counts apart
    uint64_t n_library;  // cuBLAS's kernels
    uint64_t n_memsets;
    uint64_t n_allocations;
    uint64_t n_frees;
    uint64_t used_bytes; // allocated now
    uint64_t peak_bytes; // allocated at most
    uint64_t busy_ns;    // of the compute engine
} CudasimDeviceCounters;

/* Read the counters; work still queued is not yet counted.
 *
 * from, to, device   ordinals, or CUDASIM_HOST at one end of a link. A copy
 *                    within a device is the link from it to itself.
 * errors  cudaErrorInvalidDevice, cudaErrorInvalidValue (out is NULL)
 */
CUDARTAPI cudaError_t cudasimGetLinkCounters(int from, int to,
                                             CudasimLinkCounters *out);
CUDARTAPI cudaError_t cudasimGetDeviceCounters(int device,
                                               CudasimDeviceCounters *out);

/* Start all counters of this process again at zero (but used_bytes). */
CUDARTAPI void cudasimResetCounters(void);

/* The name of the machine (v100x8) or the path of its file; never NULL. */
CUDARTAPI const char *cudasimMachineName(void);

/* How many GPUs the machine has, whatever CUDA_VISIBLE_DEVICES says. */
CUDARTAPI int cudasimMachineGpus(void);

/* Which of the machine's GPUs, in nvidia-smi's (PCI) order, this ordinal is;
 * -1: no such ordinal.
 */
CUDARTAPI int cudasimPhysicalDevice(int device);

/* What can be made to fail, and with which error. */
typedef enum CudasimFailKind {
    CUDASIM_FAIL_MALLOC,  // device memory: cudaErrorMemoryAllocation
    CUDASIM_FAIL_HOST,    // page-locked memory: cudaErrorMemoryAllocation
    CUDASIM_FAIL_COPY,    // a copy, when it runs: cudaErrorLaunchFailure
    CUDASIM_FAIL_LAUNCH,  // a kernel, when it runs: cudaErrorLaunchFailure
    CUDASIM_FAIL_LIBRARY, // a cuBLAS call: CUBLAS_STATUS_EXECUTION_FAILED
    CUDASIM_N_FAIL_KINDS
} CudasimFailKind;

/* Let n more of this kind succeed and the one after that fail, once.
 *
 * n < 0 disarms. Counts calls of every thread of this process.
 */
CUDARTAPI void cudasimFailAfter(CudasimFailKind kind, int64_t n);

/* Let n more calls of one function succeed and the next `times` return error
 * at once, having done nothing.
 *
 * name     as SIM_LOG prints it: "cudaMallocAsync", "cublasSgemm" (no _v2);
 *          "*": any call. NULL: disarm.
 * error    cuBLAS makes of it ALLOC_FAILED (cudaErrorMemoryAllocation) or
 *          EXECUTION_FAILED
 * returns  how many failures that were asked for before have not come yet
 * Counts calls of every thread of this process, those that would have failed
 * anyway not. What asks nothing of a device (cudaGetLastError, versions)
 * cannot be made to fail.
 */
CUDARTAPI int64_t cudasimFailCall(const char *name, int64_t n, int64_t times,
                                  cudaError_t error);

/* What this process has taken and not given back. */
typedef struct CudasimHeld {
    int64_t n_device;  // allocations of device memory
    int64_t n_host;    // page-locked or registered host memory
    int64_t n_streams; // those that the program made
    int64_t n_events;
    int64_t n_handles; // cuBLAS's
} CudasimHeld;

/* Fill *out; NULL is let pass. */
CUDARTAPI void cudasimGetHeld(CudasimHeld *out);

#ifdef __cplusplus
}
#endif

#endif

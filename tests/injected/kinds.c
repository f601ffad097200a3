/* What can be made to fail, and what must then be said. */
#include "kinds.h"      // defines: Kind
#include "base/alloc.h" // defines: mem_fail_after
#include <cuda_runtime.h>
#include <cudasim.h> // defines: cudasimFailCall, cudasimFailAfter

#define OS "CUDA error: OS call failed or operation not supported on this OS"
#define REFUSED(call)                                                          \
    {                                                                          \
        .name = (call), .how = CALL, .what = cudaErrorOperatingSystem,         \
        .times = 1, .status = ERR_CUDA, .sentence = OS                         \
    }
#define CUBLAS(call)                                                           \
    {                                                                          \
        .name = (call), .how = CALL, .what = cudaErrorOperatingSystem,         \
        .times = 1, .status = ERR_CUDA,                                        \
        .sentence =                                                            \
            "CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublas"  \
    }
#define LOST "CUDA error: unspecified launch failure"

const Kind kinds[] = {
    {.name = "host memory",
     .how = HOST_MEMORY,
     .status = ERR_MEMORY,
     .sentence = "not enough host memory: tried to allocate "},
    // Twice: after the first the pool is trimmed, and asked again.
    {.name = "cudaMallocAsync",
     .how = CALL,
     .what = cudaErrorMemoryAllocation,
     .times = 2,
     .status = ERR_MEMORY,
     .sentence = "CUDA out of memory. Tried to allocate "},
    // Twice: after the first what is kept is given back.
    {.name = "cudaHostAlloc",
     .how = CALL,
     .what = cudaErrorMemoryAllocation,
     .times = 2,
     .status = ERR_MEMORY,
     .sentence = "CUDA error: out of memory (tried to lock "},
    REFUSED("cudaHostAlloc"),
    REFUSED("cudaMallocAsync"),
    REFUSED("cudaLaunchKernel"),
    REFUSED("cudaMemcpyAsync"),
    REFUSED("cudaMemcpyPeerAsync"),
    REFUSED("cudaStreamSynchronize"),
    REFUSED("cudaDeviceSynchronize"),
    REFUSED("cudaStreamCreateWithFlags"),
    REFUSED("cudaEventCreateWithFlags"),
    REFUSED("cudaEventRecord"),
    REFUSED("cudaStreamWaitEvent"),
    REFUSED("cudaGetDeviceCount"),
    REFUSED("cudaGetDeviceProperties"),
    REFUSED("cudaDeviceGetPCIBusId"),
    REFUSED("cudaMemGetInfo"),
    REFUSED("cudaDeviceGetAttribute"),
    REFUSED("cudaDeviceGetDefaultMemPool"),
    REFUSED("cudaMemPoolSetAttribute"),
    REFUSED("cudaMemPoolSetAccess"),
    REFUSED("cudaDeviceCanAccessPeer"),
    CUBLAS("cublasCreate"),
    CUBLAS("cublasSetStream"),
    CUBLAS("cublasSgemm"),
    // Also on the way back, where nothing can be said any more.
    {.name = "cudaSetDevice",
     .how = CALL,
     .what = cudaErrorOperatingSystem,
     .times = 1,
     .may_pass = true,
     .status = ERR_CUDA,
     .sentence = OS},
    {.name = "cudaGetDevice",
     .how = CALL,
     .what = cudaErrorOperatingSystem,
     .times = 1,
     .may_pass = true,
     .status = ERR_CUDA,
     .sentence = OS},
    // A block that may be in use is not lent: another is.
    {.name = "cudaEventQuery",
     .how = CALL,
     .what = cudaErrorOperatingSystem,
     .times = 1,
     .may_pass = true},
    // Giving back cannot fail for whoever gives.
    {.name = "cudaFreeAsync",
     .how = CALL,
     .what = cudaErrorOperatingSystem,
     .times = 1,
     .may_pass = true,
     .may_leave = true},
    {.name = "cudaEventDestroy",
     .how = CALL,
     .what = cudaErrorOperatingSystem,
     .times = 1,
     .may_pass = true,
     .may_leave = true},
    {.name = "cudaStreamDestroy",
     .how = CALL,
     .what = cudaErrorOperatingSystem,
     .times = 1,
     .may_leave = true,
     .status = ERR_CUDA,
     .sentence = OS},
    {.name = "a kernel",
     .how = FAULT,
     .what = CUDASIM_FAIL_LAUNCH,
     .status = ERR_CUDA,
     .sentence = LOST},
    {.name = "a copy",
     .how = FAULT,
     .what = CUDASIM_FAIL_COPY,
     .status = ERR_CUDA,
     .sentence = LOST},
};
const int n_kinds = sizeof kinds / sizeof *kinds;

void kind_arm(const Kind *kind, long n)
{
    if (kind->how == HOST_MEMORY)
        mem_fail_after(n);
    else if (kind->how == CALL)
        cudasimFailCall(kind->name, n - 1, kind->times,
                        (cudaError_t)kind->what);
    else
        cudasimFailAfter((CudasimFailKind)kind->what, n - 1);
}

bool kind_disarm(const Kind *kind)
{
    if (kind->how == HOST_MEMORY)
        return mem_fail_after(0) == 0;
    if (kind->how == CALL)
        return cudasimFailCall(NULL, 0, 0, cudaSuccess) < kind->times;
    cudasimFailAfter((CudasimFailKind)kind->what, -1);
    return false;
}

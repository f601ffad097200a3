/* The CUDA runtime's calls, as the simulator has them.
 *
 * Names, argument orders and types are CUDA 13.0's; a call that is not here
 * does not exist and fails when linking. lib/sim/CONFORMANCE.md says for each
 * how exact it is. Every call returns cudaSuccess or the error, which it also
 * leaves for cudaGetLastError; any of them may instead report the failure of
 * earlier, asynchronous work.
 *
 * source  CUDA Runtime API 13.0
 */
#ifndef CUDASIM_CUDA_RUNTIME_API_H
#define CUDASIM_CUDA_RUNTIME_API_H

#include "driver_types.h" // defines: enums, structs and handles of the runtime
#include "host_defines.h" // defines: CUDARTAPI, CUDASIM_DV

/* The version these headers speak: 1000 * major + 10 * minor. */
#define CUDART_VERSION 13000

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#error "the simulator has no per-thread default stream by macro: pass \
cudaStreamPerThread where you mean it (lib/sim/CONFORMANCE.md)"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Errors. One per host thread, kept until cudaGetLastError reads it; a success
 * does not clear it.
 */
CUDARTAPI cudaError_t cudaGetLastError(void);
CUDARTAPI cudaError_t cudaPeekAtLastError(void);
CUDARTAPI const char *cudaGetErrorName(cudaError_t error);
CUDARTAPI const char *cudaGetErrorString(cudaError_t error);

/* Devices. The current one is each host thread's own; 0 until set. */
CUDARTAPI cudaError_t cudaGetDeviceCount(int *count);
CUDARTAPI cudaError_t cudaSetDevice(int device);
CUDARTAPI cudaError_t cudaGetDevice(int *device);
CUDARTAPI cudaError_t cudaInitDevice(int device, unsigned int deviceFlags,
                                     unsigned int flags);
CUDARTAPI cudaError_t cudaSetDeviceFlags(unsigned int flags);
CUDARTAPI cudaError_t cudaGetDeviceFlags(unsigned int *flags);
CUDARTAPI cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop,
                                              int device);
CUDARTAPI cudaError_t cudaDeviceGetAttribute(int *value,
                                             enum cudaDeviceAttr attr,
                                             int device);
CUDARTAPI cudaError_t cudaDeviceGetByPCIBusId(int *device,
                                              const char *pciBusId);
CUDARTAPI cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len,
                                            int device);
CUDARTAPI cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority,
                                                       int *greatestPriority);
CUDARTAPI cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
CUDARTAPI cudaError_t cudaDeviceGetLimit(size_t *pValue, enum cudaLimit limit);
CUDARTAPI cudaError_t cudaDeviceSynchronize(void);
CUDARTAPI cudaError_t cudaDeviceReset(void);
CUDARTAPI cudaError_t cudaChooseDevice(int *device,
                                       const struct cudaDeviceProp *prop);
CUDARTAPI cudaError_t cudaDriverGetVersion(int *driverVersion);
CUDARTAPI cudaError_t cudaRuntimeGetVersion(int *runtimeVersion);

/* Device memory. */
CUDARTAPI cudaError_t cudaMalloc(void **devPtr, size_t size);
CUDARTAPI cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch,
                                      size_t width, size_t height);
CUDARTAPI cudaError_t cudaFree(void *devPtr);
CUDARTAPI cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
CUDARTAPI cudaError_t cudaPointerGetAttributes(
    struct cudaPointerAttributes *attributes, const void *ptr);

/* Stream-ordered memory. Pools keep what is freed until a synchronisation
 * finds more than the release threshold (0) in them.
 */
CUDARTAPI cudaError_t cudaMallocAsync(void **devPtr, size_t size,
                                      cudaStream_t hStream);
CUDARTAPI cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t hStream);
CUDARTAPI cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool,
                                                  int device);
CUDARTAPI cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool,
                                              enum cudaMemPoolAttr attr,
                                              void *value);
CUDARTAPI cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool,
                                              enum cudaMemPoolAttr attr,
                                              void *value);
CUDARTAPI cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool,
                                        size_t minBytesToKeep);
CUDARTAPI cudaError_t
cudaMemPoolSetAccess(cudaMemPool_t memPool,
                     const struct cudaMemAccessDesc *descList, size_t count);
CUDARTAPI cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags,
                                           cudaMemPool_t memPool,
                                           struct cudaMemLocation *location);

/* Page-locked host memory. */
CUDARTAPI cudaError_t cudaMallocHost(void **ptr, size_t size);
CUDARTAPI cudaError_t cudaHostAlloc(void **pHost, size_t size,
                                    unsigned int flags);
CUDARTAPI cudaError_t cudaFreeHost(void *ptr);
CUDARTAPI cudaError_t cudaHostRegister(void *ptr, size_t size,
                                       unsigned int flags);
CUDARTAPI cudaError_t cudaHostUnregister(void *ptr);
CUDARTAPI cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost,
                                               unsigned int flags);
CUDARTAPI cudaError_t cudaHostGetFlags(unsigned int *pFlags, void *pHost);

/* Copies. dst first, as in memcpy; counts in bytes. */
CUDARTAPI cudaError_t cudaMemcpy(void *dst, const void *src, size_t count,
                                 enum cudaMemcpyKind kind);
CUDARTAPI cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count,
                                      enum cudaMemcpyKind kind,
                                      cudaStream_t stream CUDASIM_DV(0));
CUDARTAPI cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src,
                                     int srcDevice, size_t count);
CUDARTAPI cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice,
                                          const void *src, int srcDevice,
                                          size_t count,
                                          cudaStream_t stream CUDASIM_DV(0));
CUDARTAPI cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src,
                                   size_t spitch, size_t width, size_t height,
                                   enum cudaMemcpyKind kind);
CUDARTAPI cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch,
                                        const void *src, size_t spitch,
                                        size_t width, size_t height,
                                        enum cudaMemcpyKind kind,
                                        cudaStream_t stream CUDASIM_DV(0));
CUDARTAPI cudaError_t cudaMemset(void *devPtr, int value, size_t count);
CUDARTAPI cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count,
                                      cudaStream_t stream CUDASIM_DV(0));
CUDARTAPI cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value,
                                   size_t width, size_t height);
CUDARTAPI cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value,
                                        size_t width, size_t height,
                                        cudaStream_t stream CUDASIM_DV(0));

/* Streams. */
CUDARTAPI cudaError_t cudaStreamCreate(cudaStream_t *pStream);
CUDARTAPI cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream,
                                                unsigned int flags);
CUDARTAPI cudaError_t cudaStreamCreateWithPriority(cudaStream_t *pStream,
                                                   unsigned int flags,
                                                   int priority);
CUDARTAPI cudaError_t cudaStreamDestroy(cudaStream_t stream);
CUDARTAPI cudaError_t cudaStreamSynchronize(cudaStream_t stream);
CUDARTAPI cudaError_t cudaStreamQuery(cudaStream_t stream);
CUDARTAPI cudaError_t cudaStreamWaitEvent(cudaStream_t stream,
                                          cudaEvent_t event,
                                          unsigned int flags CUDASIM_DV(0));
CUDARTAPI cudaError_t cudaStreamGetFlags(cudaStream_t hStream,
                                         unsigned int *flags);
CUDARTAPI cudaError_t cudaStreamGetPriority(cudaStream_t hStream,
                                            int *priority);
CUDARTAPI cudaError_t cudaStreamGetDevice(cudaStream_t hStream, int *device);
CUDARTAPI cudaError_t cudaStreamGetId(cudaStream_t hStream,
                                      unsigned long long *streamId);
CUDARTAPI cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn,
                                         void *userData);

/* Events. Times in milliseconds, of the simulated clock. */
CUDARTAPI cudaError_t cudaEventCreate(cudaEvent_t *event);
CUDARTAPI cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event,
                                               unsigned int flags);
CUDARTAPI cudaError_t cudaEventRecord(cudaEvent_t event,
                                      cudaStream_t stream CUDASIM_DV(0));
CUDARTAPI cudaError_t
cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream CUDASIM_DV(0),
                         unsigned int flags CUDASIM_DV(0));
CUDARTAPI cudaError_t cudaEventQuery(cudaEvent_t event);
CUDARTAPI cudaError_t cudaEventSynchronize(cudaEvent_t event);
CUDARTAPI cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start,
                                           cudaEvent_t end);
CUDARTAPI cudaError_t cudaEventDestroy(cudaEvent_t event);

/* Peers. A grant goes one way: the current device may then reach peerDevice. */
CUDARTAPI cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int device,
                                              int peerDevice);
CUDARTAPI cudaError_t cudaDeviceEnablePeerAccess(int peerDevice,
                                                 unsigned int flags);
CUDARTAPI cudaError_t cudaDeviceDisablePeerAccess(int peerDevice);
CUDARTAPI cudaError_t cudaDeviceGetP2PAttribute(int *value,
                                                enum cudaDeviceP2PAttr attr,
                                                int srcDevice, int dstDevice);

/* Kernels. func is known to the simulator by cudasimRegisterKernel (cudasim.h).
 */
CUDARTAPI cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim,
                                       dim3 blockDim, void **args,
                                       size_t sharedMem, cudaStream_t stream);
CUDARTAPI cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr,
                                            const void *func);
CUDARTAPI cudaError_t cudaFuncSetAttribute(const void *func,
                                           enum cudaFuncAttribute attr,
                                           int value);

#ifdef __cplusplus
}
#endif

#endif

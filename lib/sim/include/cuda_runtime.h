/* The header a CUDA program includes: the runtime's calls and types.
 *
 * In C this is cuda_runtime_api.h. In C++ a few calls also come typed.
 */
#ifndef CUDASIM_CUDA_RUNTIME_H
#define CUDASIM_CUDA_RUNTIME_H

#include "cuda_runtime_api.h" // defines: the calls
#include "library_types.h"    // defines: cudaDataType

#ifdef __cplusplus
template <class T> static inline cudaError_t cudaMalloc(T **ptr, size_t size)
{
    return ::cudaMalloc((void **)(void *)ptr, size);
}

template <class T>
static inline cudaError_t cudaMallocHost(T **ptr, size_t size,
                                         unsigned int flags = 0)
{
    return ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}

template <class T>
static inline cudaError_t cudaHostAlloc(T **ptr, size_t size,
                                        unsigned int flags)
{
    return ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}

template <class T>
static inline cudaError_t cudaMallocAsync(T **ptr, size_t size,
                                          cudaStream_t stream)
{
    return ::cudaMallocAsync((void **)(void *)ptr, size, stream);
}
#endif

#endif

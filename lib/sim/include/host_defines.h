/* Words that the other headers use to declare things.
 */
#ifndef CUDASIM_HOST_DEFINES_H
#define CUDASIM_HOST_DEFINES_H

/* A C compiler gives these no meaning, as CUDA's own headers arrange. */
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__

#define CUDART_CB
#define CUDARTAPI __attribute__((visibility("default")))
#define CUBLASWINAPI
#define CUDASIM_ALIGN(n) __attribute__((aligned(n)))

/* A default argument, where the language has them. */
#ifdef __cplusplus
#define CUDASIM_DV(v) = v
#else
#define CUDASIM_DV(v)
#endif

#endif

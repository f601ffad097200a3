/* One kernel of the tests' own, on both machines: out = in * factor.
 *
 * scale_sim.c plays it on the simulator, scale_cuda.cu on real GPUs. It costs
 * one operation and eight bytes of traffic a number.
 */
#ifndef TESTS_KERNELS_SCALE_H
#define TESTS_KERNELS_SCALE_H

#include <cuda_runtime.h> // defines: cudaError_t, cudaStream_t
#include <stdint.h>       // defines: int64_t

#ifdef __cplusplus
extern "C" {
#endif

/* Launch it on the current device, n floats. Pointers are not checked: a bad
 * one faults the device. */
cudaError_t scale(float *out, const float *in, int64_t n, float factor,
                  cudaStream_t stream);

/* The same with that many blocks of that many threads, which may be more
 * than any GPU takes. */
cudaError_t scale_shaped(float *out, const float *in, int64_t n, float factor,
                         cudaStream_t stream, dim3 grid, dim3 block);

#ifdef __cplusplus
}
#endif

#endif

/* Tensors out of nothing: zeros, ones, ranges and random numbers.
 *
 * All: place on `device` ('cuda' alone is the current GPU); owner the current
 * scope; errors ERR_CUDA, ERR_MEMORY, ERR_RUNTIME (a negative size); NULL then.
 * source  PyTorch 1.13, Creation Ops and Random sampling
 */
#ifndef TENSOR_CREATE_H
#define TENSOR_CREATE_H

#include "tensor/tensor.h" // defines: Tensor

API Tensor *tensor_empty(DType dtype, Shape shape, Device device);
API Tensor *tensor_zeros(DType dtype, Shape shape, Device device);
API Tensor *tensor_ones(DType dtype, Shape shape, Device device);
API Tensor *tensor_full(DType dtype, Shape shape, double value, Device device);
/* start, start + step, … below end. */
API Tensor *tensor_arange(DType dtype, double start, double end, double step,
                          Device device);

/* Random numbers: the same bits as PyTorch's on the CPU for the same seed; on a
 * GPU that device's own Philox stream. Floating dtypes. */
API Tensor *tensor_rand(DType dtype, Shape shape, Device device);
API Tensor *tensor_randn(DType dtype, Shape shape, Device device);
/* Integers in [low, high). */
API Tensor *tensor_randint(int64_t low, int64_t high, Shape shape,
                           Device device);
/* 0 … n-1 in random order, INT64. */
API Tensor *tensor_randperm(int64_t n, Device device);

/* Fill x, in place, from its device's generator; x is returned. */
API Tensor *tensor_uniform_(Tensor *x, double low, double high);
API Tensor *tensor_normal_(Tensor *x, double mean, double std);
API Tensor *tensor_bernoulli_(Tensor *x, double p); // 1 with probability p

/* torch.manual_seed: the CPU's generator and every GPU's. */
API void manual_seed(int64_t seed);
/* torch.cuda.manual_seed: the current GPU's only; ignored without one. */
API void cuda_manual_seed(int64_t seed);
API void cuda_manual_seed_all(int64_t seed);

/* Where tensors are born that are not told where (set_default_tensor_type):
 * layers, and what asks default_device(). */
API void default_device_set(Device device);
API Device default_device(void);

#endif

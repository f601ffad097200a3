/* Arrays full of random numbers, from the stream of the array's own device.
 *
 * On the CPU the same bits as PyTorch's for the same seed; on a GPU Philox as
 * PyTorch lays it out, which depends on that GPU's size when there are more
 * numbers than threads.
 *
 * place   x's own device
 * errors  as told below; ERR_CUDA, ERR_MEMORY; x is then untouched
 * source  PyTorch 1.13, In-place random sampling
 */
#ifndef OPS_RANDOM_H
#define OPS_RANDOM_H

#include "array/array.h" // defines: Array

/* errors  ERR_RUNTIME "uniform_ expects to return a [from, to) range, but
 *         found from=2 > to=1"; "\"check_uniform_bounds\" not implemented for
 *         'Long'" */
API Status op_uniform_into(Array *x, double low, double high);
/* errors  ERR_RUNTIME "normal expects std >= 0.0, but found std -1";
 *         "\"normal_kernel_cpu\" not implemented for 'Long'" */
API Status op_normal_into(Array *x, double mean, double std);
/* 1 with probability p, else 0; any dtype.
 * errors  ERR_RUNTIME "bernoulli_ expects p to be in [0, 1], but got p=2" */
API Status op_bernoulli_into(Array *x, double p);
/* Integers in [low, high), drawn as INT64 and converted to x's dtype.
 * errors  ERR_RUNTIME "random_ expects 'from' to be less than 'to', but got
 *         from=5 >= to=5" */
API Status op_randint_into(Array *x, int64_t low, int64_t high);
/* 0 … n-1 in random order, a new INT64 array. On a GPU random keys are sorted
 * there; PyTorch's order for the same seed is another one.
 * errors  ERR_RUNTIME "Trying to create tensor with negative dimension -1:
 *         [-1]" */
API Status op_randperm(int64_t n, Device device, Array *out);

#endif

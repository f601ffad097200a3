/* Cut a batch into pieces on several GPUs, and put the outputs together.
 *
 * Both are differentiable: the backward of one is the other.
 * source  PyTorch 1.13, torch/nn/parallel/scatter_gather.py (behaviour)
 */
#ifndef PARALLEL_SCATTER_GATHER_H
#define PARALLEL_SCATTER_GATHER_H

#include "tensor/tensor.h" // defines: Tensor

/* torch.chunk's rule: pieces of ceil(size / n). Returns how many there are,
 * maybe fewer than n, and writes their sizes. */
API int chunk_sizes(int64_t size, int n, int64_t *sizes);

/* Piece i of x lives on cuda:device_ids[i]. A piece that is already there is a
 * view. Writes up to n tensors; returns how many, or -1 after a failure. */
API int scatter(Tensor *x, const int *device_ids, int n, int dim, Tensor **out);

/* Concatenate along dim on `device`. Scalars become a vector, with PyTorch's
 * warning on stderr.
 * owner   the current scope
 * errors  ERR_RUNTIME "Input tensor at index 1 has invalid shape [2, 4], but
 *         expected [2, 5]"; "Expected at least one tensor to gather from";
 *         ERR_ASSERTION "Gather function not implemented for CPU tensors" */
API Tensor *gather(Tensor *const *pieces, int n, Device device, int dim);

#endif

/* The same tensors on several GPUs, in few large copies; gradients come back
 * summed in device order.
 *
 * source  PyTorch 1.13, torch/nn/parallel/comm.py (behaviour)
 */
#ifndef PARALLEL_BROADCAST_H
#define PARALLEL_BROADCAST_H

#include "tensor/tensor.h" // defines: Tensor

/* out[d * n + i] becomes tensor i on cuda:device_ids[d]. On device_ids[0] it
 * shares the original's bytes. Differentiable: backward adds the gradients,
 * g[0] + g[1] + …, on device_ids[0].
 *
 * cost    one peer copy a device for each bucket of BROADCAST_BUCKET_BYTES
 * owner   the current scope
 * errors  ERR_RUNTIME "All tensors must be on devices[0]: 0" */
API Status broadcast_coalesced(Tensor *const *tensors, int n,
                               const int *device_ids, int n_devices,
                               Tensor **out);

#endif

/* The same module on several GPUs, for one forward pass.
 *
 * Replica 0 is made of the original tensors; the others get copies, broadcast
 * in buckets of 10 MiB, whose gradients flow back to the originals. Shared
 * parameters stay shared inside each replica.
 * source  PyTorch 1.13, torch/nn/parallel/replicate.py (behaviour)
 */
#ifndef PARALLEL_REPLICATE_H
#define PARALLEL_REPLICATE_H

#include "nn/module.h" // defines: Module

enum { BROADCAST_BUCKET_BYTES = 10485760 };

/* Writes n modules. owner: the current scope.
 * errors  ERR_RUNTIME "All tensors must be on devices[0]: 0" */
API Status replicate(Module *module, const int *device_ids, int n,
                     Module **out);

#endif

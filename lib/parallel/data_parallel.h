/* One batch, many GPUs: scatter, replicate, apply, gather.
 *
 * A module that wraps another (its child "module"). The main GPU,
 * device_ids[0], holds the parameters, hands out the batch and, unless
 * output_device says otherwise, collects the outputs.
 * source  PyTorch 1.13, torch.nn.DataParallel
 */
#ifndef PARALLEL_DATA_PARALLEL_H
#define PARALLEL_DATA_PARALLEL_H

#include "nn/module.h" // defines: Module

typedef struct DataParallelOptions {
    const int *device_ids; // logical ordinals; NULL: all visible GPUs
    int n_device_ids;
    bool has_output_device;
    Device output_device; // device_ids[0] unless has_output_device
    int dim;              // along which the batch is cut; 0
} DataParallelOptions;

/* Moves nothing (but with exactly one id: then the module moves there). With no
 * GPU at all it passes calls on to the module. An imbalance between the GPUs is
 * warned of, once, on stderr.
 * owner   the current scope
 * errors  ERR_ASSERTION "Invalid device id"; ERR_INDEX for an empty list
 *         (device_ids not NULL, n_device_ids 0) */
API Module *data_parallel_new(Module *module, DataParallelOptions options);

/* Forward is module_forward, which first checks where everything is.
 * errors  ERR_RUNTIME "module must have its parameters and buffers on device
 *         cuda:1 (device_ids[0]) but found one of them on device: cuda:2";
 *         a replica's failure: "Caught RuntimeError in replica 0 on device
 *         0.\n…" */

#endif

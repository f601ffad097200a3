/* Are the GPUs alike enough to share one batch? */
#ifndef PARALLEL_BALANCE_H
#define PARALLEL_BALANCE_H

#include "base/status.h" // defines: Status

/* Warn when the weakest of these GPUs has less than 75 % of the memory, or else
 * of the multiprocessors, of the strongest.
 * errors  ERR_ASSERTION "Invalid device id"
 * source  PyTorch 1.13, torch/nn/parallel/data_parallel.py (behaviour) */
Status balance_check(const int *device_ids, int n);

#endif

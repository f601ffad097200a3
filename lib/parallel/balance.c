/* Are the GPUs alike enough to share one batch? */
#include "parallel/balance.h"

#include "base/status.h"   // defines: TRY
#include "base/warn.h"     // defines: warn
#include "device/device.h" // defines: cuda_properties
#include <stdbool.h>

static double memory_of(const CudaProperties *properties)
{
    return (double)properties->total_bytes;
}

static double cores_of(const CudaProperties *properties)
{
    return (double)properties->n_multiprocessors;
}

/* *warned says whether a warning was due. Of equals the first is named. */
static Status compare(const int *device_ids, int n,
                      double (*value_of)(const CudaProperties *), bool *warned)
{
    int least_id = 0, most_id = 0;
    double least = 0, most = 0;
    for (int i = 0; i < n; i++) {
        CudaProperties properties;
        TRY(cuda_properties(device_ids[i], &properties));
        double value = value_of(&properties);
        if (i == 0 || value < least) {
            least = value;
            least_id = device_ids[i];
        }
        if (i == 0 || value > most) {
            most = value;
            most_id = device_ids[i];
        }
    }
    *warned = least / most < 0.75;
    if (*warned)
        warn("\n    There is an imbalance between your GPUs. You may want to "
             "exclude GPU %d which\n    has less than 75%% of the memory or "
             "cores of GPU %d. You can do so by setting\n    the device_ids "
             "argument to DataParallel, or by setting the "
             "CUDA_VISIBLE_DEVICES\n    environment variable.",
             least_id, most_id);
    return OK;
}

Status balance_check(const int *device_ids, int n)
{
    bool warned = false;
    TRY(compare(device_ids, n, memory_of, &warned));
    return warned ? OK : compare(device_ids, n, cores_of, &warned);
}

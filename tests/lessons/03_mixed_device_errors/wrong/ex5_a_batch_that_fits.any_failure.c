/* A wrong answer, kept to be recognised: it tries again whatever failed, and
 * leaves only the last failure. */
#include "base/status.h"   // defines: ERR_MEMORY, status_peek, status_take
#include "device/device.h" // defines: Device
#include "tensor/create.h" // defines: tensor_empty

Tensor *a_batch_that_fits(int64_t rows, int64_t width, Device device)
{
    Tensor *batch = tensor_empty(FLOAT32, shape(rows, width), device);
    while (!batch && rows > 1) {
        status_take();
        rows /= 2;
        batch = tensor_empty(FLOAT32, shape(rows, width), device);
    }
    return batch;
}

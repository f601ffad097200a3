/* A wrong answer, kept to be recognised: the failure stays after it was dealt
 * with. */
#include "base/status.h"   // defines: ERR_MEMORY, status_peek, status_take
#include "device/device.h" // defines: Device
#include "tensor/create.h" // defines: tensor_empty

Tensor *a_batch_that_fits(int64_t rows, int64_t width, Device device)
{
    Tensor *batch = tensor_empty(FLOAT32, shape(rows, width), device);
    while (!batch && rows > 1 && status_peek() == ERR_MEMORY) {
        rows /= 2;
        batch = tensor_empty(FLOAT32, shape(rows, width), device);
    }
    return batch;
}

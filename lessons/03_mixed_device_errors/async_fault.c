/* Lesson 03, beside the worked program: an error that surfaces late.
 *
 * A tensor says that it lives on GPU 1, but its bytes are GPU 0's. The library
 * compares what tensors say and lets the sum pass; the GPU finds out later,
 * while the program is busy with something else.
 *
 * run   build/sim/lessons/03_mixed_device_errors/async_fault
 *       once as it is, once with CUDA_LAUNCH_BLOCKING=1   (machine: v100x8)
 */
#include "device/device.h"     // defines: cuda_check, cuda_synchronize
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, say
#include "tensor/create.h"     // defines: tensor_ones
#include "tensor/functional.h" // defines: tensor_add, tensor_mul_int
#include "tensor/tensor.h"     // defines: tensor_from_device
#include <cuda_runtime.h>

static void step(const char *what, bool fine)
{
    if (fine) {
        say("%s: fine", what);
    } else {
        say("%s:", what);
        show_failure();
    }
}

int main(void)
{
    lesson_begin("03_mixed_device_errors");
    need_devices(2);
    //> liar
    void *bytes = NULL;
    cuda_check(cudaSetDevice(0));
    cuda_check(cudaMalloc(&bytes, 3 * sizeof(float))); // memory of GPU 0 ...
    Tensor *liar = // ... and a tensor that says GPU 1
        tensor_from_device(FLOAT32, shape(3), bytes, device_cuda(1));
    //< liar

    //> steps
    Tensor *good = tensor_ones(FLOAT32, shape(3), device_cuda(1));
    step("wait for GPU 1", cuda_synchronize(1) == OK);
    Tensor *sum = tensor_add(good, liar); // the mistake is here
    step("add", sum != NULL);
    Tensor *twice = tensor_mul_int(good, 2); // and this line is innocent
    step("multiply", twice != NULL);
    step("wait for GPU 1", cuda_synchronize(1) == OK);
    step("wait once more", cuda_synchronize(1) == OK);
    //< steps
    return lesson_end();
}

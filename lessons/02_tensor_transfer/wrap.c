/* Lesson 02, beside the worked program: bytes live on a GPU, with or without
 * a tensor around them.
 *
 * You allocate GPU memory yourself, as any CUDA program does, and put a tensor
 * over it. Nothing is copied: both write the same bytes.
 *
 * run   build/sim/lessons/02_tensor_transfer/wrap
 */
#include "device/device.h"     // defines: cuda_check, device_cuda
#include "device/ledger.h"     // defines: Ledger, ledger_now, ledger_since
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, say, show
#include "tensor/functional.h" // defines: tensor_add_int_
#include "tensor/tensor.h"     // defines: tensor_from_device
#include <cuda_runtime.h>
#include <inttypes.h>

int main(void)
{
    lesson_begin("02_tensor_transfer");
    need_devices(1);
    //> bytes
    float host[4] = {1, 2, 3, 4};
    float *bytes = NULL; // an address on the GPU: ours to pass on, not to read
    cuda_check(cudaMalloc((void **)&bytes, sizeof host));
    cuda_check(cudaMemcpy(bytes, host, sizeof host, cudaMemcpyHostToDevice));
    //< bytes

    //> wrap
    Ledger mark = ledger_now();
    Tensor *t = tensor_from_device(FLOAT32, shape(4), bytes, device_cuda(0));
    show(t);
    say("copies: %" PRId64, ledger_since(&mark).host_to_device.n_copies);
    // expect: tensor([1., 2., 3., 4.], device='cuda:0')
    // expect: copies: 0
    //< wrap

    //> both
    tensor_add_int_(t, 10); // the tensor writes ...
    cuda_synchronize(0);
    cuda_check(cudaMemcpy(host, bytes, sizeof host, cudaMemcpyDeviceToHost));
    say("%g %g %g %g", host[0], host[1], host[2], host[3]); // ... we read
    // expect: 11 12 13 14
    //< both
    cuda_check(cudaFree(bytes)); // it was never the tensor's
    return lesson_end();
}

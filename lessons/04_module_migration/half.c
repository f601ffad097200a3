/* Lesson 04, beside the worked program: a network in half precision.
 *
 * Half the bytes, and an end at 65504.
 *
 * run   build/sim/lessons/04_module_migration/half   (machine: v100x8)
 */
#include "device/device.h"     // defines: device_cuda
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, say, show
#include "nn/layers.h"         // defines: linear_new, batch_norm_1d_new
#include "tensor/create.h"     // defines: tensor_full
#include "tensor/functional.h" // defines: tensor_copy_
#include "tensor/tape.h"       // defines: no_grad_enter

int main(void)
{
    lesson_begin("04_module_migration");
    need_devices(1);
    no_grad_enter();
    //> bytes
    Module *net = linear_new(256, 1);
    module_cuda(net, 0);
    say("%zu bytes, %s", module_nbytes(net),
        dtype_name(tensor_dtype(module_parameter(net, "weight"))));
    module_half(net); // in place, like a move
    say("%zu bytes, %s", module_nbytes(net),
        dtype_name(tensor_dtype(module_parameter(net, "weight"))));
    // expect: 1028 bytes, torch.float32
    // expect: 514 bytes, torch.float16
    //< bytes

    //> overflow
    Device device = device_cuda(0);
    Tensor *ones = tensor_ones(FLOAT16, shape(1, 256), device);
    tensor_copy_(module_parameter(net, "weight"), ones);
    tensor_copy_(module_parameter(net, "bias"),
                 tensor_zeros(FLOAT16, shape(1), device));
    show(module_forward(net, tensor_mul_real(ones, 255))); // 256 * 255
    show(module_forward(net, tensor_mul_real(ones, 256))); // 256 * 256
    // expect: tensor([[65280.]], device='cuda:0', dtype=torch.float16)
    // expect: tensor([[inf]], device='cuda:0', dtype=torch.float16)
    //< overflow

    //> too_late
    module_cast(net, FLOAT32); // back to four bytes
    Tensor *wide = tensor_cast(tensor_mul_real(ones, 256), FLOAT32);
    show(module_forward(net, wide));
    // expect: tensor([[65536.]], device='cuda:0')
    //< too_late

    //> buffers
    Module *norm = batch_norm_1d_new(4);
    module_half(norm);
    say("running_mean: %s",
        dtype_name(tensor_dtype(module_buffer(norm, "running_mean"))));
    say("num_batches_tracked: %s",
        dtype_name(tensor_dtype(module_buffer(norm, "num_batches_tracked"))));
    // expect: running_mean: torch.float16
    // expect: num_batches_tracked: torch.int64
    //< buffers
    return lesson_end();
}

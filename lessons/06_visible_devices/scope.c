/* Lesson 06, beside the worked program: for these few lines, another GPU.
 *
 * run   build/sim/lessons/06_visible_devices/scope   (machine: v100x8)
 */
#include "device/device.h" // defines: CudaScope, cuda_scope_make
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say, show
#include "tensor/create.h" // defines: tensor_ones
#include "tensor/tensor.h" // defines: tensor_cuda

int main(void)
{
    lesson_begin("06_visible_devices");
    need_devices(2);
    Tensor *x = tensor_ones(FLOAT32, shape(2), device_cpu());
    //> made
    CudaScope second;
    if (cuda_scope_make(device_cuda(1), &second) != OK)
        show_failure();
    say("made: the current GPU is %d", cuda_current_device());
    show(tensor_cuda(x, -1)); // x.cuda()
    // expect: made: the current GPU is 0
    // expect: tensor([1., 1.], device='cuda:0')
    //< made

    //> entered
    if (cuda_scope_enter(&second) != OK)
        show_failure();
    say("entered: the current GPU is %d", cuda_current_device());
    show(tensor_cuda(x, -1));
    show(tensor_ones(FLOAT32, shape(2), device_cuda(-1))); // born there, too
    show(tensor_cuda(x, 0)); // a GPU that is named is the GPU that is meant
    cuda_scope_leave(&second);
    say("left: the current GPU is %d", cuda_current_device());
    // expect: entered: the current GPU is 1
    // expect: tensor([1., 1.], device='cuda:1')
    // expect: tensor([1., 1.], device='cuda:1')
    // expect: tensor([1., 1.], device='cuda:0')
    // expect: left: the current GPU is 0
    //< entered

    //> absent
    CudaScope absent, cpu;
    if (cuda_scope_make(device_cuda(99), &absent) == OK)
        say("a scope for cuda:99 is made");
    if (cuda_scope_enter(&absent) != OK)
        show_failure();
    if (cuda_scope_make(device_cpu(), &cpu) != OK)
        show_failure();
    // expect: a scope for cuda:99 is made
    // expect: RuntimeError: CUDA error: invalid device ordinal
    // expect: CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
    // expect: For debugging consider passing CUDA_LAUNCH_BLOCKING=1.
    // expect: Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.
    // expect: ValueError: Expected a cuda device, but got: cpu
    //< absent
    return lesson_end();
}

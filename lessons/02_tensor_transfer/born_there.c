/* Lesson 02, beside the worked program: made on a GPU, or moved to it.
 *
 * run   build/sim/lessons/02_tensor_transfer/born_there
 *       (machines: v100x8, t4)
 */
#include "device/device.h" // defines: device_cuda, device_str, try_gpu
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say, show
#include "tensor/create.h" // defines: manual_seed, tensor_ones, tensor_rand
#include "tensor/tensor.h" // defines: tensor_to

static void describe(const Tensor *x) // print(x.shape, x.dtype, x.device)
{
    say("%s %s %s", shape_str(tensor_shape(x)).text,
        dtype_name(tensor_dtype(x)), device_str(tensor_device(x)).text);
}

int main(void)
{
    lesson_begin("02_tensor_transfer");
    need_devices(1);
    manual_seed(0);
    //> born
    Tensor *r = tensor_rand(FLOAT32, shape(2, 2), device_cuda(-1)); // 'cuda'
    show(r);
    // expect: tensor([[0.3990, 0.5167],
    // expect:         [0.0249, 0.9401]], device='cuda:0')
    //< born

    //> moved
    Tensor *x = tensor_ones(FLOAT32, shape(2, 3), device_cpu());
    Tensor *y = tensor_to(x, device_cuda(-1));
    describe(x);
    describe(y);
    // expect: torch.Size([2, 3]) torch.float32 cpu
    // expect: torch.Size([2, 3]) torch.float32 cuda:0
    //< moved

    //> try
    Tensor *z = tensor_ones(FLOAT32, shape(2, 3), try_gpu(0));
    show_device(tensor_device(z));
    // expect: device(type='cuda', index=0)
    //< try

    need_devices(2);
    //> second
    Device device1 = device_cuda(1);
    Tensor *moved = tensor_to(x, device1);
    Tensor *born = tensor_rand(FLOAT32, shape(2, 3), device1);
    describe(moved);
    describe(born);
    // expect: torch.Size([2, 3]) torch.float32 cuda:1
    // expect: torch.Size([2, 3]) torch.float32 cuda:1
    //< second
    return lesson_end();
}

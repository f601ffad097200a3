/* Lesson 01, beside the worked program: a device handle, chosen once.
 *
 * The handle says "the GPU, if there is one". The rest of the program names
 * no device and runs on any machine.
 *
 * run   build/sim/lessons/01_device_query/handles   (machine: t4)
 */
#include "device/device.h" // defines: device_cuda, device_str
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say, show
#include "tensor/create.h" // defines: manual_seed, tensor_rand

int main(void)
{
    lesson_begin("01_device_query");
    //> choose
    Device my_device = device_cpu();
    if (cuda_is_available())
        my_device = device_cuda(-1); // 'cuda': whichever GPU is current
    say("Device: %s", device_str(my_device).text);
    // expect: Device: cuda
    //< choose

    //> use
    manual_seed(0);
    Tensor *x = tensor_rand(FLOAT32, shape(2, 2), my_device);
    show(x);
    // expect: tensor([[0.3990, 0.5167],
    // expect:         [0.0249, 0.9401]], device='cuda:0')
    //< use

    //> resolved
    show_device(my_device);        // the handle has no index ...
    show_device(tensor_device(x)); // ... the tensor has
    say("equal: %s", py_bool(device_equal(my_device, tensor_device(x))));
    // expect: device(type='cuda')
    // expect: device(type='cuda', index=0)
    // expect: equal: False
    //< resolved
    return lesson_end();
}

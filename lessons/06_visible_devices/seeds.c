/* Lesson 06, beside the worked program: each GPU draws its own numbers.
 *
 * run   build/sim/lessons/06_visible_devices/seeds   (machine: v100x8)
 */
#include "device/device.h"     // defines: device_cuda
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, say
#include "tensor/create.h"     // defines: cuda_manual_seed, tensor_rand
#include "tensor/functional.h" // defines: tensor_equal
#include "tensor/tensor.h"     // defines: tensor_cpu

static Tensor *draw(int gpu) // three random numbers of a GPU, brought home
{
    return tensor_cpu(tensor_rand(FLOAT32, shape(3), device_cuda(gpu)));
}

int main(void)
{
    lesson_begin("06_visible_devices");
    need_devices(2);
    say("%d visible, the current one is '%s'", cuda_device_count(),
        cuda_device_name(cuda_current_device()));
    // expect: 8 visible, the current one is 'Tesla V100-PCIE-32GB'

    //> current
    cuda_manual_seed_all(7); // every visible GPU
    Tensor *first0 = draw(0), *first1 = draw(1);
    cuda_manual_seed(7); // cuda.manual_seed(7)
    say("gpu0 draws the same again: %s",
        py_bool(tensor_equal(draw(0), first0)));
    say("gpu1 draws the same again: %s",
        py_bool(tensor_equal(draw(1), first1)));
    // expect: gpu0 draws the same again: True
    // expect: gpu1 draws the same again: False
    //< current

    //> all
    cuda_manual_seed_all(7);
    say("gpu0 draws the same again: %s",
        py_bool(tensor_equal(draw(0), first0)));
    say("gpu1 draws the same again: %s",
        py_bool(tensor_equal(draw(1), first1)));
    say("both draw the same: %s", py_bool(tensor_equal(first0, first1)));
    // expect: gpu0 draws the same again: True
    // expect: gpu1 draws the same again: True
    // expect: both draw the same: True
    //< all
    return lesson_end();
}

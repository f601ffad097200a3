/* Lesson 04, beside the worked program: a whole network, on a laptop.
 *
 * One program for a machine with a GPU and for one without.
 *
 * run   build/sim/lessons/04_module_migration/sequential
 *       (machines: rtx3070-laptop, none)
 */
#include "device/device.h" // defines: device_str, try_gpu
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, show
#include "nn/layers.h"     // defines: linear_new, sequential_new
#include "tensor/create.h" // defines: manual_seed, tensor_ones
#include "tensor/tape.h"   // defines: tensor_detach

int main(void)
{
    lesson_begin("04_module_migration");
    //> moved
    manual_seed(0);
    Tensor *x = tensor_ones(FLOAT32, shape(2, 3), try_gpu(0));
    Module *net = sequential_new();
    sequential_add(net, linear_new(3, 1));
    module_to(net, try_gpu(0)); // weights are born on the CPU, then copied
    show(module_forward(net, x));
    //< moved

    //> where
    Module *layer = module_child_at(net, 0); // net[0]
    Tensor *data = tensor_detach(module_parameter(layer, "weight"));
    show_device(tensor_device(data));
    //< where
    return lesson_end();
}

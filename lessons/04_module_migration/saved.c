/* Lesson 04, beside the worked program: saved on a GPU, loaded on the CPU.
 *
 * A state dict holds names and numbers, and no places.
 *
 * run   build/sim/lessons/04_module_migration/saved   (machine: v100x8)
 */
#include "device/device.h" // defines: device_str
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, show
#include "nn/layers.h"     // defines: linear_new
#include "nn/state_dict.h" // defines: module_save, module_load
#include "tensor/create.h" // defines: manual_seed
#include "tensor/tape.h"   // defines: tensor_detach
#include <stdio.h>

int main(void)
{
    lesson_begin("04_module_migration");
    need_devices(1);
    manual_seed(0);
    //> save
    Module *trained = linear_new(3, 1);
    module_cuda(trained, 0);
    module_save(trained, "trained.npz"); // copied home to be written
    show(tensor_detach(module_parameter(trained, "bias")));
    // expect: tensor([-0.4249], device='cuda:0')
    //< save

    //> load
    Module *fresh = linear_new(3, 1); // other numbers, on the CPU
    module_load(fresh, "trained.npz");
    show(tensor_detach(module_parameter(fresh, "bias")));
    // expect: tensor([-0.4249])
    //< load
    remove("trained.npz");
    return lesson_end();
}

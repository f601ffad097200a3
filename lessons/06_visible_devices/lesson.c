/* Lesson 06: a program sees the GPUs it is shown.
 *
 * You start a program with CUDA_VISIBLE_DEVICES=0,2,3. It counts three GPUs,
 * and calls them 0, 1 and 2.
 *
 * run   CUDA_VISIBLE_DEVICES=0,2,3 build/sim/lessons/06_visible_devices/lesson
 *       (machine: v100x8)
 * book  book/06_visible_devices.md
 */
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say, show
#include "device/device.h" // defines: cuda_device_count, cuda_properties
#include "smi.h"           // defines: physical_index
#include "tensor/create.h" // defines: tensor_ones
#include "tensor/tensor.h" // defines: tensor_cuda
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    lesson_begin("06_visible_devices");
    need_devices(2);
    //> count
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    say("CUDA_VISIBLE_DEVICES: %s", visible ? visible : "not set");
    say("device_count: %d", cuda_device_count());
    // expect: CUDA_VISIBLE_DEVICES: 0,2,3
    // expect: device_count: 3
    //< count

    //> table
    for (int i = 0; i < cuda_device_count(); i++) {
        CudaProperties card;
        if (cuda_properties(i, &card) != OK)
            show_failure();
        else
            say("logical gpu%d  bus id %s  physical gpu%d", i, card.pci_bus_id,
                physical_index(argv[0], i));
    }
    // expect: logical gpu0  bus id 0000:89:00.0  physical gpu0
    // expect: logical gpu1  bus id 0000:8B:00.0  physical gpu2
    // expect: logical gpu2  bus id 0000:8C:00.0  physical gpu3
    //< table

    //> land
    Tensor *x = tensor_ones(FLOAT32, shape(3), device_cpu());
    Tensor *x1 = tensor_cuda(x, 1); // .cuda(1)
    show(x1);
    say("it lies on physical gpu%d",
        physical_index(argv[0], tensor_device(x1).index));
    // expect: tensor([1., 1., 1.], device='cuda:1')
    // expect: it lies on physical gpu2
    //< land

    //> absent
    show(tensor_cuda(x, 3)); // the machine has it, the program does not
    // expect: RuntimeError: CUDA error: invalid device ordinal
    // expect: CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
    // expect: For debugging consider passing CUDA_LAUNCH_BLOCKING=1.
    // expect: Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.
    //< absent
    return lesson_end();
}

/* Lesson 03, beside the worked program: no room on the GPU.
 *
 * run   build/sim/lessons/03_mixed_device_errors/out_of_memory   (machine: t4)
 */
#include "device/device.h" // defines: cuda_mem_info, device_cuda
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say, show
#include "tensor/create.h" // defines: tensor_empty, tensor_ones

int main(void)
{
    lesson_begin("03_mixed_device_errors");
    need_devices(1);
    const int64_t gibi = 1 << 30; // bytes
    //> fill
    size_t free_bytes = 0, total_bytes = 0;
    cuda_mem_info(0, &free_bytes, &total_bytes);
    say("%zu of %zu MiB are free", free_bytes >> 20, total_bytes >> 20);
    Tensor *large = tensor_empty(UINT8, shape(12 * gibi), device_cuda(0));
    say("the first 12 GiB: %s", large ? "there" : "no room");
    //< fill

    //> full
    Tensor *more = tensor_empty(UINT8, shape(12 * gibi), device_cuda(0));
    if (!more)
        show_failure();
    //< full

    //> after
    show(tensor_ones(FLOAT32, shape(3), device_cuda(0))); // 12 bytes
    //< after
    return lesson_end();
}

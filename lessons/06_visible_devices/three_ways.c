/* Lesson 06, beside the worked program: three ways to another GPU.
 *
 * run   build/sim/lessons/06_visible_devices/three_ways
 *       once as it is, once with CUDA_VISIBLE_DEVICES=1   (machine: v100x8)
 */
#include "device/device.h" // defines: cuda_set_device
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say
#include "smi.h"           // defines: physical_index
#include "tensor/create.h" // defines: tensor_ones
#include "tensor/tensor.h" // defines: tensor_cuda

static void where(const char *program, const char *name, const Tensor *x)
{
    if (!x) {
        say("%s: failed", name);
        show_failure();
        return;
    }
    int index = tensor_device(x).index;
    say("%s: cuda:%d, physical gpu%d", name, index,
        physical_index(program, index));
}

int main(int argc, char **argv)
{
    (void)argc;
    lesson_begin("06_visible_devices");
    need_devices(1);
    //> plain
    Tensor *input = tensor_ones(FLOAT32, shape(2), device_cpu());
    Tensor *target = tensor_ones(FLOAT32, shape(2), device_cpu());
    say("no line edited");
    where(argv[0], "    input.cuda()", tensor_cuda(input, -1));
    where(argv[0], "    target.cuda()", tensor_cuda(target, -1));
    //< plain

    //> every
    say("every call edited");
    where(argv[0], "    input.cuda(1)", tensor_cuda(input, 1));
    where(argv[0], "    target.cuda(1)", tensor_cuda(target, 1));
    //< every

    //> one
    say("one line added: set_device(1)");
    if (cuda_set_device(1) != OK)
        show_failure();
    where(argv[0], "    input.cuda()", tensor_cuda(input, -1));
    where(argv[0], "    target.cuda()", tensor_cuda(target, -1));
    //< one
    return lesson_end();
}

/* Lesson 01, beside the worked program: try_gpu, and what it does not say.
 *
 * run   build/sim/lessons/01_device_query/fallback   (machine: rtx3070-laptop)
 */
#include "device/device.h" // defines: device_parse, device_repr, try_gpu
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say, show
#include "tensor/create.h" // defines: tensor_ones

enum { ROOM = 64 };

//> all
/* All GPUs, or the CPU alone. Returns how many devices it wrote. */
static int try_all_gpus(Device *out, int room)
{
    int n = cuda_device_count();
    if (n == 0) {
        out[0] = device_cpu();
        return 1;
    }
    for (int i = 0; i < n && i < room; i++)
        out[i] = device_cuda(i);
    return n < room ? n : room;
}
//< all

int main(void)
{
    lesson_begin("01_device_query");
    //> three
    say("(%s,", device_repr(try_gpu(0)).text);
    say(" %s,", device_repr(try_gpu(10)).text);
    Device all[ROOM];
    int n = try_all_gpus(all, ROOM);
    for (int i = 0; i < n; i++)
        say(" %s%s%s", i == 0 ? "[" : " ", device_repr(all[i]).text,
            i == n - 1 ? "])" : ",");
    // expect: (device(type='cuda', index=0),
    // expect:  device(type='cpu'),
    // expect:  [device(type='cuda', index=0)])
    //< three

    //> silent
    Tensor *x = tensor_ones(FLOAT32, shape(2), try_gpu(10));
    show(x); // you asked for GPU 10, and nobody said no
    // expect: tensor([1., 1.])
    //< silent

    //> negative
    Device device = device_cpu();
    if (device_parse("cuda:-1", &device) != OK) // what f'cuda:{i}' makes of -1
        show_failure();
    // expect: RuntimeError: Invalid device string: 'cuda:-1'
    //< negative
    return lesson_end();
}

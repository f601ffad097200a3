/* Lesson 08, beside the worked program: a buffer that is filled again too soon.
 *
 * Two batches go to the GPU through one pinned buffer. The second is written
 * while the first is still leaving.
 *
 * run   build/sim/lessons/08_pinned_memory/overwritten   (machine: v100x8)
 */
#include "device/device.h"     // defines: device_cuda
#include "device/stream.h"     // defines: stream_current, stream_synchronize
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, say
#include "tensor/create.h"     // defines: tensor_zeros
#include "tensor/functional.h" // defines: tensor_mean

enum { N = 1000000 };

//> fill
/* As a reader of files would: write the batch where it is sent from. */
static void load(Tensor *buffer, int batch)
{
    float *numbers = tensor_numpy(buffer);
    for (int i = 0; i < N; i++)
        numbers[i] = (float)batch;
}
//< fill

int main(void)
{
    lesson_begin("08_pinned_memory");
    need_devices(1);
    Device gpu = device_cuda(0);
    Tensor *buffer =
        tensor_pin_memory(tensor_zeros(FLOAT32, shape(N), device_cpu()));
    //> wrong
    load(buffer, 1);
    Tensor *first = tensor_to_non_blocking(buffer, gpu);
    load(buffer, 2);
    Tensor *second = tensor_to_non_blocking(buffer, gpu);
    say("no wait: %g and %g", tensor_item(tensor_mean(first)),
        tensor_item(tensor_mean(second)));
    //< wrong

    //> right
    load(buffer, 1);
    first = tensor_to_non_blocking(buffer, gpu);
    stream_synchronize(stream_current(0)); // it has left
    load(buffer, 2);
    second = tensor_to_non_blocking(buffer, gpu);
    say("one wait: %g and %g", tensor_item(tensor_mean(first)),
        tensor_item(tensor_mean(second)));
    //< right
    return lesson_end();
}

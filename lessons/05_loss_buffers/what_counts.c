/* Lesson 05, beside the worked program: how samples count.
 *
 * Weights, an ignored class, and smoothed labels change what the mean divides
 * by. Four samples, three classes.
 *
 * run   build/sim/lessons/05_loss_buffers/what_counts   (machine: any)
 */
#include "device/device.h" // defines: device_cpu
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say, show
#include "nn/loss.h"       // defines: cross_entropy_loss_new, loss_forward
#include "tensor/tensor.h" // defines: tensor_new

static Tensor *scores, *target;

static void show_loss(CrossEntropyOptions options)
{
    show(loss_forward(cross_entropy_loss_new(options), scores, target));
}

int main(void)
{
    lesson_begin("05_loss_buffers");
    const float numbers[] = {0.5F, -1,   2,    1, 0, -0.5F,
                             0.1F, 0.2F, 0.3F, 2, 2, -1};
    scores = tensor_new(FLOAT32, shape(4, 3), numbers, device_cpu());
    target = tensor_new(INT64, shape(4), (int64_t[]){2, 0, 1, 1}, device_cpu());

    //> each
    CrossEntropyOptions each = cross_entropy_defaults();
    each.reduction = REDUCTION_NONE;
    show_loss(each);
    // expect: tensor([0.2413, 0.4644, 1.1019, 0.7177])
    //< each

    //> weights
    CrossEntropyOptions weighted = cross_entropy_defaults();
    weighted.weight =
        tensor_new(FLOAT32, shape(3), (float[]){1, 3, 0.5F}, device_cpu());
    show_loss(weighted); // one weight a class
    // expect: tensor(0.8059)
    //< weights

    //> ignored
    CrossEntropyOptions ignoring = cross_entropy_defaults();
    ignoring.ignore_index = 1;
    show_loss(ignoring); // the mean of the two samples that are left
    // expect: tensor(0.3528)
    //< ignored

    //> smoothed
    CrossEntropyOptions smoothed = cross_entropy_defaults();
    smoothed.label_smoothing = 0.1;
    show_loss(smoothed);
    // expect: tensor(0.7147)
    //< smoothed
    return lesson_end();
}

/* Lesson 02, beside the worked program: prepare a batch on the CPU, or ship it
 * raw and prepare it on the GPU?
 *
 * While the GPU works on one batch, the CPU is free to prepare the next. As
 * long as it keeps ahead, its work costs no time at all.
 *
 * run   build/sim/lessons/02_tensor_transfer/where_to_prepare
 *       (machine: v100x8)
 */
#include "device/clock.h"      // defines: clock_now_ns, clock_word
#include "device/device.h"     // defines: cuda_synchronize, device_cuda
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, say
#include "tensor/create.h"     // defines: tensor_ones, tensor_rand
#include "tensor/functional.h" // defines: tensor_matmul, tensor_mul_real
#include "tensor/scope.h"      // defines: scope_open, scope_close

enum { N_BATCHES = 4, ROWS = 32, WIDTH = 256 };

//> prepare
/* Bytes become floats, where `raw` lives: a row is a picture. */
static Tensor *prepare(Tensor *raw, bool each)
{
    if (!each)
        return tensor_mul_real(raw, 1.0 / 255); // the whole batch at once
    Tensor *pictures[ROWS];
    for (int i = 0; i < ROWS; i++) // each with a brightness of its own
        pictures[i] =
            tensor_mul_real(tensor_select(raw, 0, i), 1.0 / (200 + i));
    return tensor_stack(pictures, ROWS, 0);
}
//< prepare

static double run(Tensor *raw, Tensor *weight, int n_layers, bool each,
                  bool on_cpu)
{
    int64_t start_ns = clock_now_ns();
    for (int batch = 0; batch < N_BATCHES; batch++) {
        scope_open();
        //> step
        Tensor *x = raw;
        if (on_cpu)
            x = prepare(x, each); // the GPU still computes the last batch
        x = tensor_to(x, tensor_device(weight));
        if (!on_cpu)
            x = prepare(x, each);
        for (int layer = 0; layer < n_layers; layer++)
            x = tensor_matmul(x, weight); // the network
        //< step
        scope_close();
    }
    cuda_synchronize(0);
    return (double)(clock_now_ns() - start_ns) / 1000;
}

int main(void)
{
    lesson_begin("02_tensor_transfer");
    need_devices(1);
    Tensor *raw = tensor_ones(UINT8, shape(ROWS, WIDTH), device_cpu());
    Tensor *weight = tensor_rand(FLOAT32, shape(WIDTH, WIDTH), device_cuda(0));
    run(raw, weight, 1, false, false); // sets CUDA up; not counted
    say("prepared    layers  on_cpu_us  on_gpu_us");
    for (int each = 0; each <= 1; each++) {
        for (int n_layers = 1; n_layers <= 16; n_layers *= 16) {
            double on_cpu_us = run(raw, weight, n_layers, each, true);
            double on_gpu_us = run(raw, weight, n_layers, each, false);
            say("%-10s %7d %10.1f %10.1f", each ? "one-by-one" : "at-once",
                n_layers, on_cpu_us, on_gpu_us);
        }
    }
    say("times are %s", clock_word());
    return lesson_end();
}

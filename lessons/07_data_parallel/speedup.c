/* Lesson 07, beside the worked program: when do more GPUs pay?
 *
 * The forward pass of one network, for batches and for numbers of GPUs, in
 * microseconds of simulated time. The batch begins in host memory.
 *
 * run   build/sim/lessons/07_data_parallel/speedup   (machine: v100x8)
 */
#include "device/clock.h"           // defines: clock_now_ns
#include "device/device.h"          // defines: cuda_synchronize
#include "lesson/lesson.h"          // defines: lesson_begin, lesson_end, say
#include "nn/layers.h"              // defines: linear_new
#include "parallel/data_parallel.h" // defines: data_parallel_new
#include "tensor/create.h"          // defines: tensor_zeros
#include "tensor/scope.h"           // defines: scope_open, scope_close
#include "tensor/tape.h"            // defines: no_grad_enter
#include <inttypes.h>

enum { WIDTH = 512, TIMES = 8 };

//> cell
/* One layer, used eight times: much arithmetic, few parameters. */
static Tensor *cell_forward(Module *self, Tensor *x)
{
    for (int i = 0; i < TIMES; i++)
        x = module_forward(module_child(self, "layer"), x);
    return x;
}

static const ModuleType CELL = {.name = "Cell", .forward = cell_forward};
//< cell

static Module *net;

//> time
/* One forward pass over n GPUs, until all of them are idle again. */
static int64_t forward_us(int64_t rows, int n)
{
    const int ids[] = {0, 1, 2, 3, 4, 5, 6, 7};
    DataParallelOptions options = {.device_ids = ids, .n_device_ids = n};
    scope_open();
    Tensor *batch = tensor_zeros(FLOAT32, shape(rows, WIDTH), device_cpu());
    Module *parallel = data_parallel_new(net, options);
    int64_t start = clock_now_ns();
    module_forward(parallel, batch);
    for (int i = 0; i < n; i++)
        cuda_synchronize(i);
    int64_t elapsed = clock_now_ns() - start;
    scope_close();
    return elapsed / 1000;
}
//< time

int main(void)
{
    lesson_begin("07_data_parallel");
    need_devices(8);
    bool recording = no_grad_enter();
    net = module_new(&CELL);
    module_add_child(net, "layer", linear_new(WIDTH, WIDTH));
    module_cuda(net, 0);
    for (int n = 1; n <= 8; n *= 2)
        forward_us(64, n); // the first use of a GPU costs more

    say("times in microseconds, %s", clock_word());
    say("batch  1gpu  2gpus  4gpus  8gpus");
    int64_t pays = 0;
    for (int64_t rows = 128; rows <= 2048; rows *= 4) {
        int64_t one = forward_us(rows, 1), two = forward_us(rows, 2);
        int64_t four = forward_us(rows, 4), eight = forward_us(rows, 8);
        say("%5" PRId64 " %5" PRId64 " %6" PRId64 " %6" PRId64 " %6" PRId64,
            rows, one, two, four, eight);
        if (!pays && two < one)
            pays = rows;
    }
    if (pays)
        say("of these, two GPUs pay from a batch of %" PRId64 " on", pays);
    else
        say("two GPUs never pay here");
    no_grad_leave(recording);
    return lesson_end();
}

/* Lesson 07, beside the worked program: what the main GPU does besides.
 *
 * One training step of a small network on four GPUs: the ledger says what went
 * into and out of each of them.
 *
 * run   build/sim/lessons/07_data_parallel/extra_work   (machine: v100x4)
 */
#include "device/device.h"          // defines: cuda_synchronize
#include "device/ledger.h"          // defines: ledger_now, ledger_since
#include "lesson/lesson.h"          // defines: lesson_begin, lesson_end, say
#include "nn/layers.h"              // defines: linear_new, sequential_new
#include "parallel/data_parallel.h" // defines: data_parallel_new
#include "tensor/create.h"          // defines: tensor_randn
#include "tensor/functional.h"      // defines: tensor_sum
#include "tensor/tape.h"            // defines: tensor_backward
#include <inttypes.h>

enum { N = 4 };

static void show_traffic(const Ledger *step)
{
    say("GPU  copies in  bytes in  copies out  bytes out");
    for (int i = 0; i < N; i++)
        say("%3d %10" PRId64 " %9" PRId64 " %11" PRId64 " %10" PRId64, i,
            step->into[i].n_copies, step->into[i].n_bytes,
            step->out_of[i].n_copies, step->out_of[i].n_bytes);
}

int main(void)
{
    lesson_begin("07_data_parallel");
    need_devices(N);
    //> build
    Module *net = sequential_new();
    sequential_add(net, linear_new(256, 256));
    sequential_add(net, relu_new());
    sequential_add(net, linear_new(256, 10));
    DataParallelOptions four = {.device_ids = (int[]){0, 1, 2, 3},
                                .n_device_ids = N};
    Module *parallel = data_parallel_new(module_cuda(net, 0), four);
    Tensor *batch =
        tensor_cuda(tensor_randn(FLOAT32, shape(64, 256), device_cpu()), 0);
    module_forward(parallel, batch); // the first use of a GPU costs more
    for (int i = 0; i < N; i++)
        cuda_synchronize(i);
    say("parameters: %zu bytes", module_nbytes(net));
    // expect: parameters: 273448 bytes
    //< build

    //> step
    Ledger mark = ledger_now();
    Tensor *outputs = module_forward(parallel, batch);
    for (int i = 0; i < N; i++)
        cuda_synchronize(i); // until all of them are idle again
    Ledger forward = ledger_since(&mark);
    say("forward");
    show_traffic(&forward);
    // expect: forward
    // expect: GPU  copies in  bytes in  copies out  bytes out
    // expect:   0         11    277928          14    1145504
    // expect:   1          2    289832           1        640
    // expect:   2          2    289832           1        640
    // expect:   3          2    289832           1        640
    //< step

    //> backward
    mark = ledger_now();
    tensor_backward(tensor_sum(outputs));
    Ledger backward = ledger_since(&mark);
    say("backward");
    show_traffic(&backward);
    // expect: backward
    // expect: GPU  copies in  bytes in  copies out  bytes out
    // expect:   0         11   1367240          11     548816
    // expect:   1          5    274088           5     546896
    // expect:   2          5    274088           5     546896
    // expect:   3          5    274088           5     546896
    //< backward
    return lesson_end();
}

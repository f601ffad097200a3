/* Lesson 07, beside the worked program: batches that do not divide.
 *
 * The batch is cut into pieces of ceil(size / GPUs). The last piece is what is
 * left, and there may be fewer pieces than GPUs.
 *
 * run   build/sim/lessons/07_data_parallel/uneven   (machine: v100x8)
 */
#include "lesson/lesson.h"           // defines: lesson_begin, lesson_end, say
#include "parallel/data_parallel.h"  // defines: data_parallel_new
#include "parallel/scatter_gather.h" // defines: chunk_sizes
#include "tensor/create.h"           // defines: tensor_zeros
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void show_chunks(int64_t size, int n)
{
    int64_t sizes[8];
    char pieces[64] = "";
    int n_pieces = chunk_sizes(size, n, sizes);
    for (int i = 0; i < n_pieces; i++)
        sprintf(pieces + strlen(pieces), "%s%" PRId64, i ? " " : "", sizes[i]);
    say("%2" PRId64 " on %d GPUs: %s", size, n, pieces);
}

static Tensor *count(Module *self, Tensor *input)
{
    (void)self;
    say("  %s: %" PRId64, device_str(tensor_device(input)).text,
        tensor_size(input, 0));
    return input;
}

static const ModuleType COUNT = {.name = "Count", .forward = count};

int main(void)
{
    lesson_begin("07_data_parallel");
    need_devices(4);
    //> table
    show_chunks(16, 2);
    show_chunks(2, 2);
    show_chunks(10, 4);
    show_chunks(5, 4);
    show_chunks(7, 8);
    show_chunks(9, 8);
    // expect: 16 on 2 GPUs: 8 8
    // expect:  2 on 2 GPUs: 1 1
    // expect: 10 on 4 GPUs: 3 3 3 1
    // expect:  5 on 4 GPUs: 2 2 1
    // expect:  7 on 8 GPUs: 1 1 1 1 1 1 1
    // expect:  9 on 8 GPUs: 2 2 2 2 1
    //< table

    //> run
    DataParallelOptions four = {.device_ids = (int[]){0, 1, 2, 3},
                                .n_device_ids = 4};
    Module *net = data_parallel_new(module_new(&COUNT), four);
    say("five samples, four GPUs:");
    Tensor *five = tensor_zeros(FLOAT32, shape(5, 1), device_cpu());
    Tensor *out = module_forward(net, five);
    say("  gathered: %" PRId64 " on %s", tensor_size(out, 0),
        device_str(tensor_device(out)).text);
    // expect: five samples, four GPUs:
    // expect:   cuda:0: 2
    // expect:   cuda:1: 2
    // expect:   cuda:2: 1
    // expect:   gathered: 5 on cuda:0
    //< run
    return lesson_end();
}

/* Lesson 07, last part: a real training run.
 *
 * A small network learns to read handwritten digits: on the CPU, on one GPU,
 * and on all of them. The losses agree; the times do not.
 *
 * run   build/sim/lessons/07_data_parallel/digits   (machine: v100x8)
 * data  digits.csv, which the build puts beside the program
 */
#include "device/clock.h"           // defines: clock_now_ns, clock_word
#include "lesson/lesson.h"          // defines: lesson_begin, lesson_end, say
#include "nn/layers.h"              // defines: linear_new, sequential_new
#include "nn/loss.h"                // defines: cross_entropy_loss_new
#include "nn/optim.h"               // defines: sgd_new
#include "parallel/data_parallel.h" // defines: data_parallel_new
#include "tensor/create.h"          // defines: manual_seed, tensor_randperm
#include "tensor/functional.h"      // defines: tensor_index_select
#include "tensor/scope.h"           // defines: scope_open, scope_close
#include "tensor/tape.h"            // defines: tensor_backward
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 1797, PIXELS = 64, TRAIN = 1437, EPOCHS = 12, BATCH = 64 };

static Tensor *images, *labels; // on the CPU: (ROWS, PIXELS), (ROWS)

/* Pixels to 0 … 1. Returns whether all rows were read. */
static bool read_digits(const char *path)
{
    static float pixels[ROWS * PIXELS];
    static int64_t digits[ROWS];
    char line[512];
    int row = 0;
    FILE *file = fopen(path, "r");
    while (file && row < ROWS && fgets(line, sizeof line, file)) {
        if (line[0] == '#')
            continue;
        char *at = line;
        for (int i = 0; i < PIXELS; i++, at++)
            pixels[row * PIXELS + i] = (float)strtol(at, &at, 10) / 16;
        digits[row++] = strtol(at, NULL, 10);
    }
    if (file)
        fclose(file);
    images = tensor_new(FLOAT32, shape(ROWS, PIXELS), pixels, device_cpu());
    labels = tensor_new(INT64, shape(ROWS), digits, device_cpu());
    manual_seed(1); // the file is sorted by writer: mix before it is split
    Tensor *mixed = tensor_randperm(ROWS, device_cpu());
    images = tensor_index_select(images, 0, mixed);
    labels = tensor_index_select(labels, 0, mixed);
    return row == ROWS;
}

//> step
/* One step on the rows named by `index`: returns the loss. */
static double train_step(Module *net, Module *criterion, Optimizer *optimizer,
                         Tensor *index, Device device)
{
    Tensor *x = tensor_to(tensor_index_select(images, 0, index), device);
    Tensor *t = tensor_to(tensor_index_select(labels, 0, index), device);
    optimizer_zero_grad(optimizer);
    Tensor *loss = loss_forward(criterion, module_forward(net, x), t);
    tensor_backward(loss);
    optimizer_step(optimizer);
    return tensor_item(loss);
}
//< step

/* The share of the last rows that the network reads right, in percent. */
static double accuracy(Module *net, Device device)
{
    bool recording = no_grad_enter();
    Tensor *x = tensor_slice(images, 0, TRAIN, ROWS);
    Tensor *scores = module_forward(net, tensor_to(x, device));
    Tensor *read = tensor_cpu(tensor_argmax_dim(scores, 1));
    const int64_t *got = tensor_data(read);
    const int64_t *want = tensor_data(labels);
    int n_right = 0;
    for (int i = 0; i < ROWS - TRAIN; i++)
        n_right += got && got[i] == want[TRAIN + i];
    no_grad_leave(recording);
    return 100.0 * n_right / (ROWS - TRAIN);
}

static double train_epoch(Module *net, Module *criterion, Optimizer *optimizer,
                          Device device)
{
    double sum = 0;
    scope_open();
    Tensor *order = tensor_randperm(TRAIN, device_cpu());
    for (int64_t at = 0; at < TRAIN; at += BATCH) {
        scope_open(); // a step's tensors go with the step
        Tensor *index = tensor_slice(order, 0, at, at + BATCH);
        sum += train_step(net, criterion, optimizer, index, device) *
               (double)tensor_numel(index);
        scope_close();
    }
    scope_close();
    return sum / TRAIN;
}

/* The same network, the same draws; only the place differs. */
static void train(const char *name, Device device, bool parallel)
{
    scope_open();
    manual_seed(0);
    //> net
    Module *net = sequential_new();
    sequential_add(net, linear_new(PIXELS, 64));
    sequential_add(net, relu_new());
    sequential_add(net, linear_new(64, 10));
    module_to(net, device);
    if (parallel)
        net = data_parallel_new(net, (DataParallelOptions){0});
    //< net
    Module *criterion = cross_entropy_loss_new(cross_entropy_defaults());
    Optimizer *optimizer =
        sgd_new(net, (SgdOptions){.lr = 0.1, .momentum = 0.9});
    int64_t start = clock_now_ns();
    say("%s", name);
    say("epoch loss");
    for (int epoch = 1; epoch <= EPOCHS; epoch++) {
        if (isatty(STDERR_FILENO))
            fprintf(stderr, "\r%s: epoch %d of %d ", name, epoch, EPOCHS);
        say("%d %.3f", epoch, train_epoch(net, criterion, optimizer, device));
    }
    int64_t elapsed_us = (clock_now_ns() - start) / 1000;
    say("%s: test accuracy %.1f %%, %" PRId64 " us a step, %s", name,
        accuracy(net, device),
        elapsed_us / (EPOCHS * ((TRAIN + BATCH - 1) / BATCH)), clock_word());
    scope_close();
}

int main(int argc, char **argv)
{
    (void)argc;
    lesson_begin("07_data_parallel");
    const char *slash = strrchr(argv[0], '/');
    int n_folder = slash ? (int)(slash - argv[0]) + 1 : 0;
    char path[4096];
    snprintf(path, sizeof path, "%.*sdigits.csv", n_folder, argv[0]);
    if (!read_digits(path)) {
        fprintf(stderr, "%s does not hold the %d digits: build again\n", path,
                ROWS);
        return 2;
    }
    //> three
    train("cpu", device_cpu(), false);
    need_devices(2);
    train("one GPU", device_cuda(0), false);
    train("all GPUs", device_cuda(0), true);
    //< three
    return lesson_end();
}

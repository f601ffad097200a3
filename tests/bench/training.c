/* A training epoch on the CPU: the network, data, batch and optimiser of
 * lessons/07_data_parallel/digits.c. against_torch.py runs PyTorch beside it.
 *
 * run   build/sim/tests/bench/bench_training   (from the checkout's root)
 */
#include "nn/layers.h"         // defines: linear_new, sequential_new
#include "nn/loss.h"           // defines: cross_entropy_loss_new
#include "nn/optim.h"          // defines: sgd_new
#include "side_by_side.h"      // defines: measure
#include "tensor/create.h"     // defines: manual_seed, tensor_randperm
#include "tensor/functional.h" // defines: tensor_index_select
#include "tensor/scope.h"      // defines: scope_open, scope_close
#include "tensor/tape.h"       // defines: tensor_backward
#include <stdio.h>
#include <stdlib.h>

enum { PIXELS = 64, TRAIN = 1437, BATCH = 64 };

static Tensor *images, *labels;
static Module *net, *criterion;
static Optimizer *optimizer;

static bool read_digits(void)
{
    static float pixels[TRAIN * PIXELS];
    static int64_t digits[TRAIN];
    char line[512];
    int row = 0;
    FILE *file = fopen(DIGITS, "r");
    while (file && row < TRAIN && fgets(line, sizeof line, file)) {
        if (line[0] == '#')
            continue;
        char *at = line;
        for (int i = 0; i < PIXELS; i++, at++)
            pixels[row * PIXELS + i] = (float)strtol(at, &at, 10) / 16;
        digits[row++] = strtol(at, NULL, 10);
    }
    if (file)
        fclose(file);
    images = tensor_new(FLOAT32, shape(TRAIN, PIXELS), pixels, device_cpu());
    labels = tensor_new(INT64, shape(TRAIN), digits, device_cpu());
    return row == TRAIN;
}

static void epoch(void *context)
{
    double *sum = context;
    scope_open();
    Tensor *order = tensor_randperm(TRAIN, device_cpu());
    for (int64_t at = 0; at < TRAIN; at += BATCH) {
        scope_open();
        Tensor *index = tensor_slice(order, 0, at, at + BATCH);
        Tensor *x = tensor_index_select(images, 0, index);
        Tensor *t = tensor_index_select(labels, 0, index);
        optimizer_zero_grad(optimizer);
        Tensor *loss = loss_forward(criterion, module_forward(net, x), t);
        tensor_backward(loss);
        optimizer_step(optimizer);
        *sum += tensor_item(loss) * (double)tensor_numel(index);
        scope_close();
    }
    scope_close();
}

int main(int argc, char **argv)
{
    (void)bench_begin(argc, argv);
    scope_open();
    if (!read_digits()) {
        fprintf(stderr, "%s does not hold %d digits\n", DIGITS, TRAIN);
        return 2;
    }
    manual_seed(0);
    net = sequential_new();
    sequential_add(net, linear_new(PIXELS, 64));
    sequential_add(net, relu_new());
    sequential_add(net, linear_new(64, 10));
    criterion = cross_entropy_loss_new(cross_entropy_defaults());
    optimizer = sgd_new(net, (SgdOptions){.lr = 0.1, .momentum = 0.9});
    double sum = 0;
    printf("an epoch on the digits: %.0f us", measure(epoch, &sum, 1) / 1e3);
    printf(" (all losses together %.3f)\n", sum / TRAIN);
    scope_close();
    return 0;
}

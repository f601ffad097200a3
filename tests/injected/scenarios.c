/* Whole pieces of work: each uses several GPUs and prints what it computed. */
#include "scenarios.h"              // defines: Scenario
#include "base/alloc.h"             // defines: mem_free
#include "base/status.h"            // defines: OK
#include "device/stream.h"          // defines: stream_new, stream_use
#include "nn/layers.h"              // defines: sequential_new, linear_new
#include "nn/loss.h"                // defines: cross_entropy_loss_new
#include "nn/optim.h"               // defines: sgd_new, adam_new
#include "nn/state_dict.h"          // defines: module_save, module_load
#include "parallel/data_parallel.h" // defines: data_parallel_new
#include "tensor/create.h"          // defines: tensor_randn, manual_seed
#include "tensor/format.h"          // defines: tensor_repr
#include "tensor/functional.h"      // defines: tensor_matmul
#include "tensor/tape.h"            // defines: tensor_backward

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool append(char *result, const char *text)
{
    size_t n = strlen(result);
    snprintf(result + n, RESULT_BYTES - n, "%s\n", text);
    return true;
}

/* Print x, whose numbers come from wherever it lives. */
static bool tell(char *result, const Tensor *x)
{
    char *text = x ? tensor_repr(x) : NULL;
    bool told = text && append(result, text);
    mem_free(text);
    return told;
}

static void seed(void)
{
    manual_seed(7);
    cuda_manual_seed_all(7);
}

static bool operations(char *result)
{
    seed();
    Tensor *a = tensor_randn(FLOAT32, shape(3, 4), device_cuda(1));
    Tensor *b = tensor_rand(FLOAT32, shape(4, 2), device_cuda(1));
    if (!a || !b)
        return false;
    Tensor *product = tensor_matmul(a, b);
    Tensor *sum = tensor_sum_dim(tensor_exp(product), 1, true);
    Tensor *twice = tensor_add(tensor_mul_real(a, 2), a);
    Tensor *whole = tensor_cast(tensor_mul_real(twice, 10), INT64);
    Tensor *joined =
        tensor_cat((Tensor *[]){product, tensor_relu(product)}, 2, 0);
    return tell(result, product) && tell(result, sum) && tell(result, whole) &&
           tell(result, tensor_max(joined)) &&
           tell(result, tensor_argmax_dim(joined, 1));
}

static bool transfers(char *result)
{
    seed();
    Tensor *here = tensor_randn(FLOAT32, shape(2, 5), device_cpu());
    Tensor *first = here ? tensor_cuda(here, 0) : NULL;
    Tensor *second = first ? tensor_to(first, device_cuda(1)) : NULL;
    Tensor *turned = second ? tensor_transpose(second, 0, 1) : NULL;
    Tensor *third = turned ? tensor_to(turned, device_cuda(2)) : NULL;
    Tensor *clone = third ? tensor_clone(third) : NULL;
    Tensor *back = clone ? tensor_cpu(clone) : NULL;
    return back && tell(result, back) && tell(result, second);
}

static bool streams(char *result)
{
    Stream side;
    seed();
    if (stream_new(1, &side) != OK)
        return false;
    Stream before = stream_use(side);
    Tensor *x = tensor_ones(FLOAT32, shape(4), device_cuda(1));
    Tensor *y = x ? tensor_add(x, x) : NULL;
    stream_use(before);
    bool done = y && stream_wait(before, side) == OK &&
                tell(result, tensor_add(y, y)) &&
                stream_synchronize(side) == OK;
    bool gone = stream_destroy(side) == OK;
    return done && gone;
}

static bool pinned(char *result)
{
    seed();
    Tensor *here = tensor_randn(FLOAT32, shape(2, 5), device_cpu());
    Tensor *plain = here ? tensor_to_non_blocking(here, device_cuda(1)) : NULL;
    Tensor *ready = plain ? tensor_pin_memory(here) : NULL;
    Tensor *there =
        ready ? tensor_to_non_blocking(ready, device_cuda(1)) : NULL;
    Tensor *twice = there ? tensor_add(there, there) : NULL;
    Tensor *back = twice ? tensor_to_non_blocking(twice, device_cpu()) : NULL;
    return back && cuda_synchronize(1) == OK && tell(result, back);
}

/* One of its Linear layers stands under two names. */
static Module *net(void)
{
    Module *made = sequential_new();
    Module *shared = linear_new(3, 3);
    if (!made || !shared || !sequential_add(made, shared) ||
        !sequential_add(made, batch_norm_1d_new(3)) ||
        !sequential_add(made, relu_new()) ||
        !sequential_add(made, dropout_new(0.5)) ||
        !sequential_add(made, shared))
        return NULL;
    return made;
}

static bool tell_tensor(void *context, const char *name, Tensor *x)
{
    return append(context, name) && tell(context, x);
}

static bool tell_module(char *result, Module *module)
{
    module_each_state(module, tell_tensor, result);
    return status_peek() == OK;
}

static bool moves(char *result)
{
    seed();
    Module *module = net();
    if (!module || !module_cuda(module, 1) || !module_half(module) ||
        !module_cast(module, FLOAT32) || !module_cuda(module, 2))
        return false;
    return tell_module(result, module) && module_cpu(module);
}

static bool stepped(char *result, Module *module, Module *wrapped,
                    Optimizer *optimizer, int gpu)
{
    Module *criterion = cross_entropy_loss_new(cross_entropy_defaults());
    Tensor *x = tensor_randn(FLOAT32, shape(6, 3), device_cpu());
    Tensor *t = tensor_randint(0, 3, shape(6), device_cuda(gpu));
    Tensor *there = x ? tensor_cuda(x, gpu) : NULL;
    if (!optimizer || !criterion || !there || !t)
        return false;
    for (int i = 0; i < 2; i++) {
        optimizer_zero_grad(optimizer);
        Tensor *y = module_forward(wrapped, there);
        Tensor *loss = y ? loss_forward(criterion, y, t) : NULL;
        if (!loss || tensor_backward(loss) != OK ||
            optimizer_step(optimizer) != OK || !tell(result, loss))
            return false;
    }
    return tell_module(result, module);
}

static bool training(char *result)
{
    seed();
    Module *module = net();
    if (!module || !module_cuda(module, 1))
        return false;
    SgdOptions options = {.lr = 0.1, .momentum = 0.9, .nesterov = true};
    return stepped(result, module, module, sgd_new(module, options), 1);
}

static bool parallel(char *result)
{
    seed();
    static const int gpus[] = {0, 1, 2};
    Module *module = net();
    if (!module || !module_cuda(module, 0))
        return false;
    DataParallelOptions options = {.device_ids = gpus, .n_device_ids = 3};
    Module *all = data_parallel_new(module, options);
    return all && stepped(result, module, all,
                          adam_new(module, (AdamOptions){.lr = 0.01}), 0);
}

/* A save that fails leaves the file of the save before. */
static bool files(char *result)
{
    static char path[64];
    if (!path[0])
        snprintf(path, sizeof path, "injected_%ld.npz", (long)getpid());
    seed();
    Module *module = net();
    Module *other = module ? net() : NULL;
    bool done = other && module_cuda(module, 1) && module_cuda(other, 2) &&
                module_save(module, path) == OK &&
                module_load(other, path) == OK && tell_module(result, other);
    remove(path);
    return done;
}

static bool questions(char *result)
{
    CudaProperties facts;
    size_t free_bytes = 0, total_bytes = 0;
    if (cuda_set_device(1) != OK || cuda_properties(2, &facts) != OK ||
        cuda_mem_info(2, &free_bytes, &total_bytes) != OK ||
        cuda_current_device() < 0 || !cuda_device_name(1) ||
        cuda_synchronize(3) != OK || cuda_set_device(0) != OK)
        return false;
    append(result, facts.name);
    append(result, facts.uuid);
    return append(result, facts.pci_bus_id);
}

const Scenario scenarios[] = {
    {"operations", operations}, {"transfers", transfers},
    {"streams", streams},       {"pinned", pinned},
    {"moves", moves},           {"training", training},
    {"parallel", parallel},     {"files", files},
    {"questions", questions},
};
const int n_scenarios = sizeof scenarios / sizeof *scenarios;

/* The library under eight host threads, each with a GPU and tensors of its
 * own; what they share is the process's: generators, ledger, peer access,
 * cuBLAS handles, warnings, counts, and a tensor that all read. */
#include "base/alloc.h"             // defines: mem_free
#include "base/warn.h"              // defines: warn, warn_to
#include "crowd.h"                  // defines: crowd, meet, MUST
#include "device/clock.h"           // defines: clock_now_ns
#include "device/ledger.h"          // defines: ledger_now
#include "device/stream.h"          // defines: stream_new
#include "nn/layers.h"              // defines: linear_new
#include "nn/loss.h"                // defines: mse_loss_new
#include "nn/optim.h"               // defines: sgd_new
#include "nn/state_dict.h"          // defines: module_save
#include "parallel/data_parallel.h" // defines: data_parallel_new
#include "tensor/create.h"          // defines: tensor_randn
#include "tensor/format.h"          // defines: tensor_repr
#include "tensor/functional.h"      // defines: tensor_add
#include "tensor/scope.h"           // defines: scope_open
#include "tensor/tape.h"            // defines: tensor_backward

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 4 };

static void open_scope(int me)
{
    MUST(scope_open() == OK);
    MUST(cuda_set_device(me) == OK);
    MUST(cuda_current_device() == me);
}

static void close_scope(void)
{
    MUST(status_peek() == OK);
    scope_close();
}

static void draws_and_operations(int me)
{
    open_scope(me);
    for (int i = 0; i < ROUNDS; i++) {
        MUST(scope_open() == OK);
        Tensor *x = tensor_randn(FLOAT32, shape(5, 4), device_cuda(me));
        Tensor *y = tensor_rand(FLOAT32, shape(4, 3), device_cpu());
        Tensor *z = tensor_matmul(x, tensor_cuda(y, me));
        char *text = tensor_repr(tensor_add(z, z));
        MUST(text);
        mem_free(text);
        if (i == 0)
            cuda_manual_seed(me);
        if (i == 1)
            manual_seed(me);
        MUST(tensor_randperm(8, device_cpu()));
        scope_close();
    }
    MUST(ledger_now().n_launches > 0 && clock_now_ns() > 0);
    MUST(cuda_device_name(me) && cuda_is_initialized());
    close_scope();
}

/* All pairs of GPUs at once: peer access is opened by whoever is first. */
static void every_peer(int me)
{
    open_scope(me);
    Tensor *x = tensor_full(FLOAT32, shape(16), me, device_cuda(me));
    for (int i = 0; i < N_THREADS; i++) {
        Tensor *there = tensor_to(x, device_cuda((me + i) % N_THREADS));
        Tensor *back = there ? tensor_to(there, device_cuda(me)) : NULL;
        MUST(back && tensor_equal(back, x));
    }
    close_scope();
}

static Module *net(int me)
{
    Module *made = sequential_new();
    Module *first = linear_new(3, 8);
    Module *second = linear_new(8, 2);
    MUST(sequential_add(made, first) && sequential_add(made, relu_new()) &&
         sequential_add(made, dropout_new(0.25)) &&
         sequential_add(made, second) && module_cuda(made, me));
    return made;
}

static void step(Module *module, Module *wrapped, int me)
{
    Optimizer *optimizer = sgd_new(module, (SgdOptions){.lr = 0.1});
    Module *criterion = mse_loss_new();
    Tensor *x = tensor_randn(FLOAT32, shape(6, 3), device_cuda(me));
    Tensor *t = tensor_zeros(FLOAT32, shape(6, 2), device_cuda(me));
    for (int i = 0; i < ROUNDS; i++) {
        optimizer_zero_grad(optimizer);
        Tensor *loss = loss_forward(criterion, module_forward(wrapped, x), t);
        MUST(loss && tensor_backward(loss) == OK);
        MUST(optimizer_step(optimizer) == OK);
    }
}

static void modules(int me)
{
    char path[64];
    open_scope(me);
    Module *module = net(me);
    step(module, module, me);
    snprintf(path, sizeof path, "threads_%ld_%d.npz", (long)getpid(), me);
    MUST(module_save(module, path) == OK && module_load(net(me), path) == OK);
    remove(path);
    close_scope();
}

static void data_parallel(int me)
{
    open_scope(me);
    int gpus[] = {me, (me + 1) % N_THREADS, (me + 3) % N_THREADS};
    DataParallelOptions options = {.device_ids = gpus, .n_device_ids = 3};
    Module *module = net(me);
    step(module, data_parallel_new(module, options), me);
    close_scope();
}

/* Sentences are the threads' own. */
static void failures(int me)
{
    char expected[64];
    Device device;
    open_scope(me);
    snprintf(expected, sizeof expected, "Invalid device string: 'cuda:0%d'",
             me);
    for (int i = 0; i < ROUNDS; i++) {
        MUST(device_parse(strchr(expected, '\'') + 1, &device) != OK);
        MUST(status_take() == ERR_RUNTIME);
        meet();
        MUST(strncmp(status_sentence(), expected, strlen(expected) - 1) == 0);
        MUST(status_peek() == OK);
    }
    close_scope();
}

static atomic_int n_warnings;

static void count_warning(const char *text)
{
    MUST(text);
    atomic_fetch_add(&n_warnings, 1);
}

static void ignore_warning(const char *text)
{
    MUST(text);
}

static void warnings(int me)
{
    warn_to(count_warning);
    meet();
    warn("thread %d", me);
    meet();
    MUST(atomic_load(&n_warnings) == N_THREADS);
    meet();
    for (int i = 0; i < ROUNDS; i++) {
        warn_to(i % 2 ? count_warning : ignore_warning);
        warn("thread %d again", me);
    }
}

static Tensor *shared; // made before the threads, read by all
static Tensor *shared_pinned;
static Module *shared_module;

static void reading_one_tensor(int me)
{
    open_scope(me);
    bool recording = no_grad_enter();
    for (int i = 0; i < ROUNDS; i++) {
        Tensor *mine = tensor_to(shared, device_cuda(me));
        MUST(mine && tensor_retain(shared));
        Tensor *sum = tensor_sum(tensor_add(mine, mine));
        MUST(tensor_item(sum) == 48);
        Tensor *sent = tensor_to_non_blocking(shared_pinned, device_cuda(me));
        MUST(tensor_item(tensor_sum(sent)) == 24);
        MUST(module_forward(shared_module, shared));
        tensor_release(shared);
    }
    no_grad_leave(recording);
    close_scope();
}

static void streams(int me)
{
    Stream side;
    open_scope(me);
    MUST(stream_new(me, &side) == OK);
    Stream before = stream_use(side);
    Tensor *x = tensor_ones(FLOAT32, shape(8), device_cuda(me));
    Tensor *y = tensor_add(x, x);
    stream_use(before);
    MUST(stream_wait(before, side) == OK);
    MUST(tensor_item(tensor_sum(y)) == 16);
    MUST(stream_destroy(side) == OK && cuda_synchronize(me) == OK);
    close_scope();
}

int main(void)
{
    crowd(draws_and_operations); // its first calls find nothing opened yet
    crowd(every_peer);
    crowd(modules);
    crowd(data_parallel);
    crowd(failures);
    crowd(warnings);
    crowd(streams);
    MUST(scope_open() == OK);
    shared = tensor_ones(FLOAT32, shape(8, 3), device_cuda(0));
    shared_pinned =
        tensor_pin_memory(tensor_ones(FLOAT32, shape(24), device_cpu()));
    shared_module = linear_new(3, 2);
    MUST(shared && shared_pinned && shared_module &&
         module_cuda(shared_module, 0));
    crowd(reading_one_tensor);
    scope_close();
    puts("8 threads, no quarrel");
    return tensor_live_count() == 0 ? 0 : 1;
}

/* Every allocation of nn may fail: a sentence, no crash, nothing left. Run
 * under a sanitizer the same tests show blocks that are lost. */
#include "injected.h"      // defines: each_allocation_fails
#include "nn/loss.h"       // defines: cross_entropy_loss_new
#include "nn/optim.h"      // defines: sgd_new, adam_new
#include "nn/state_dict.h" // defines: module_save, module_load
#include "nn/tree.h"       // defines: tree_dict
#include <stdlib.h>
#include <unistd.h>

static char path[] = "nn_memory_XXXXXX";

/* Two Linear layers, one of them under two names, and a layer with buffers. */
static Module *net(void)
{
    Module *made = sequential_new();
    Module *shared = linear_new(3, 3);
    if (!made || !shared || !sequential_add(made, shared) ||
        !sequential_add(made, batch_norm_1d_new(3)) ||
        !sequential_add(made, dropout_new(0.5)) ||
        !sequential_add(made, shared))
        return NULL;
    return made;
}

static bool made_and_printed(void)
{
    Module *module = net();
    if (!module)
        return false;
    char *repr = module_repr(module);
    char *buffers =
        repr ? module_buffers_repr(module_child(module, "1")) : NULL;
    mem_free(repr);
    mem_free(buffers);
    return buffers != NULL;
}

static void making_modules(void **state)
{
    (void)state;
    each_allocation_fails(made_and_printed, NULL, 40);
}

static bool moved(void)
{
    Module *module = net();
    return module && module_cuda(module, 1) && module_half(module) &&
           module_cast(module, FLOAT32) && module_cpu(module);
}

static void moving_modules(void **state)
{
    (void)state;
    each_allocation_fails(moved, NULL, 80);
}

static CrossEntropyOptions options;

static bool stepped(Optimizer *(*optimizer_of)(Module *))
{
    Module *module = net();
    Module *criterion = module ? cross_entropy_loss_new(options) : NULL;
    if (!criterion)
        return false;
    Optimizer *optimizer = optimizer_of(module);
    Tensor *x = tensor_ones(FLOAT32, shape(4, 3), device_cpu());
    Tensor *t = tensor_zeros(INT64, shape(4), device_cpu());
    if (!optimizer || !x || !t)
        return false;
    Tensor *loss = loss_forward(criterion, module_forward(module, x), t);
    return loss && tensor_backward(loss) == OK &&
           optimizer_step(optimizer) == OK;
}

static Optimizer *sgd_of(Module *module)
{
    return sgd_new(module, (SgdOptions){.lr = 0.1,
                                        .momentum = 0.9,
                                        .weight_decay = 0.1,
                                        .nesterov = true});
}

static Optimizer *adam_of(Module *module)
{
    return adam_new(module, (AdamOptions){.weight_decay = 0.1});
}

static bool sgd_stepped(void)
{
    return stepped(sgd_of);
}

static bool adam_stepped(void)
{
    return stepped(adam_of);
}

static void training_steps(void **state)
{
    (void)state;
    options = cross_entropy_defaults();
    options.weight = tensor_ones(FLOAT32, shape(3), device_cpu());
    options.label_smoothing = 0.1;
    each_allocation_fails(sgd_stepped, NULL, 200);
    each_allocation_fails(adam_stepped, NULL, 200);
}

static bool other_losses(void)
{
    Tensor *x = tensor_ones(FLOAT32, shape(2, 3), device_cpu());
    if (!x || tensor_set_requires_grad(x, true) != OK)
        return false;
    Tensor *p = tensor_full(FLOAT32, shape(2, 3), 0.25, device_cpu());
    Module *mse = mse_loss_new(), *nll = nll_loss_new(NULL);
    Module *entropy = cross_entropy_loss_new(options);
    Tensor *t = tensor_zeros(INT64, shape(2), device_cpu());
    if (!p || !mse || !nll || !entropy || !t)
        return false;
    Tensor *sum = tensor_add(loss_forward(mse, x, p), loss_forward(nll, x, t));
    sum = tensor_add(sum, loss_forward(entropy, x, p));
    return sum && tensor_backward(sum) == OK;
}

static void losses(void **state)
{
    (void)state;
    options = cross_entropy_defaults();
    options.label_smoothing = 0.1;
    each_allocation_fails(other_losses, NULL, 100);
}

static Module *kept; // made before anything fails

static bool saved(void)
{
    return module_save(kept, path) == OK;
}

/* Whatever happens, a whole file stands there. */
static void file_is_whole(bool worked)
{
    (void)worked;
    assert_int_equal(module_load(kept, path), OK);
}

static void saving(void **state)
{
    (void)state;
    kept = net();
    assert_true(saved());
    each_allocation_fails(saved, file_is_whole, 40);
}

static Tensor *before, *after; // the first parameter's numbers

static bool loaded(void)
{
    return module_load(kept, path) == OK;
}

/* All or nothing: the first parameter is new only if all of them are. */
static void all_or_nothing(bool worked)
{
    Tensor *now = tensor_cpu(tensor_detach(module_parameter(kept, "0.weight")));
    assert_true(tensor_equal(now, worked ? after : before));
}

static void loading(void **state)
{
    (void)state;
    for (int on_gpu = 0; on_gpu < 2; on_gpu++) {
        kept = net();
        assert_true(saved());
        after = tensor_clone(tensor_detach(module_parameter(kept, "0.weight")));
        kept = net();
        before =
            tensor_clone(tensor_detach(module_parameter(kept, "0.weight")));
        assert_false(tensor_equal(before, after));
        if (on_gpu)
            module_cuda(kept, 2);
        each_allocation_fails(loaded, all_or_nothing, 40);
    }
}

static bool tree_made(void)
{
    Tensor *x = tensor_ones(FLOAT32, shape(1), device_cpu());
    Tree *leaf = x ? tree_tensor(x) : NULL;
    Tree *list = leaf ? tree_list((Tree *[]){leaf, leaf}, 2) : NULL;
    Tree *number = list ? tree_number(2) : NULL, *none = tree_none();
    const char *names[] = {"list", "number", "none"};
    return number && none &&
           tree_dict(names, (Tree *[]){list, number, none}, 3) != NULL;
}

static void trees(void **state)
{
    (void)state;
    each_allocation_fails(tree_made, NULL, 10);
}

int main(void)
{
    int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    const struct CMUnitTest tests[] = {
        IN_SCOPE(making_modules), IN_SCOPE(moving_modules),
        IN_SCOPE(training_steps), IN_SCOPE(losses),
        IN_SCOPE(saving),         IN_SCOPE(loading),
        IN_SCOPE(trees),
    };
    int n_failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove(path);
    return n_failed;
}

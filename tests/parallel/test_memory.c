/* Every allocation of a DataParallel step may fail: a sentence, no crash,
 * nothing left. */
#include "../nn/injected.h"         // defines: each_allocation_fails
#include "nn/loss.h"                // defines: mse_loss_new
#include "nn/tree.h"                // defines: tree_dict
#include "parallel/data_parallel.h" // defines: data_parallel_new
#include "parallel/replicate.h"     // defines: replicate

static const int GPUS[] = {0, 1, 2};
static Module *kept;

static bool stepped(void)
{
    DataParallelOptions options = {.device_ids = GPUS, .n_device_ids = 3};
    Module *all = data_parallel_new(kept, options);
    Tensor *x = tensor_ones(FLOAT32, shape(6, 3), device_cpu());
    Tensor *t = tensor_zeros(FLOAT32, shape(6, 3), device_cuda(0));
    Module *criterion = mse_loss_new();
    if (!all || !x || !t || !criterion)
        return false;
    Tensor *y = module_forward(all, x);
    Tensor *loss = y ? loss_forward(criterion, y, t) : NULL;
    return loss && tensor_backward(loss) == OK;
}

static void forget_gradients(bool worked)
{
    (void)worked;
    assert_int_equal(cuda_current_device(), 0); // every scope was left
    for (int i = 0; i < 2; i++) {
        Tensor *w = module_parameter(kept, i ? "0.bias" : "0.weight");
        assert_int_equal(tensor_set_grad(w, NULL), OK);
        w = module_parameter(kept, i ? "1.bias" : "1.weight");
        assert_int_equal(tensor_set_grad(w, NULL), OK);
    }
}

/* One Linear layer stands under two names. */
static Module *net(void)
{
    Module *shared = linear_new(3, 3);
    return module_cuda(SEQUENTIAL(shared, batch_norm_1d_new(3), shared), 0);
}

static void a_step(void **state)
{
    (void)state;
    kept = net();
    each_allocation_fails(stepped, forget_gradients, 400);
}

static bool replicated(void)
{
    Module *replicas[3];
    return replicate(kept, GPUS, 3, replicas) == OK;
}

static void replicas(void **state)
{
    (void)state;
    kept = net();
    each_allocation_fails(replicated, NULL, 100);
}

static Tree *swap(Module *self, Tree *inputs)
{
    (void)self;
    Tree *first = tree_get(tree_at(inputs, 0), "a");
    return first ? tree_list((Tree *[]){first, tree_at(inputs, 1)}, 2) : NULL;
}

static bool with_structure(void)
{
    static const ModuleType SWAP = {.name = "Swap", .forward_tree = swap};
    DataParallelOptions options = {.device_ids = GPUS, .n_device_ids = 3};
    Module *inner = module_new(&SWAP);
    Module *all = inner ? data_parallel_new(inner, options) : NULL;
    Tensor *x = tensor_ones(FLOAT32, shape(3, 2), device_cpu());
    Tree *leaf = all && x ? tree_tensor(x) : NULL;
    Tree *dict =
        leaf ? tree_dict((const char *[]){"a"}, (Tree *[]){leaf}, 1) : NULL;
    Tree *number = dict ? tree_number(3) : NULL;
    Tree *in = number ? tree_list((Tree *[]){dict, number}, 2) : NULL;
    return in && module_forward_tree(all, in);
}

static void structure(void **state)
{
    (void)state;
    each_allocation_fails(with_structure, NULL, 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCOPE(a_step),
        IN_SCOPE(replicas),
        IN_SCOPE(structure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

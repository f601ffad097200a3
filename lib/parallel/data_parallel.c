/* One batch, many GPUs: scatter, replicate, apply, gather. */
#include "parallel/data_parallel.h"

#include "base/alloc.h"                   // defines: mem_copy_text, mem_free
#include "base/status.h"                  // defines: TRY, status_fail
#include "device/ledger.h"                // defines: LEDGER_MAX_DEVICES
#include "parallel/balance.h"             // defines: balance_check
#include "parallel/replicate.h"           // defines: replicate
#include "parallel/tree_scatter_gather.h" // defines: tree_scatter, tree_gather

enum { MOST = LEDGER_MAX_DEVICES };

typedef struct DataParallelState {
    int device_ids[MOST];
    int n; // 0: there is no GPU, calls are passed on
    Device output_device;
    int dim;
} DataParallelState;

typedef struct Placement {
    Device expected;
    Status status;
} Placement;

static bool check_place(void *context, const char *name, Tensor *x)
{
    (void)name;
    Placement *placement = context;
    if (device_equal(tensor_device(x), placement->expected))
        return true;
    placement->status =
        status_fail(ERR_RUNTIME,
                    "module must have its parameters and buffers on device %s "
                    "(device_ids[0]) but found one of them on device: %s",
                    device_str(placement->expected).text,
                    device_str(tensor_device(x)).text);
    return false;
}

/* Before anything is sent anywhere: is the module on the main GPU? */
static Status check_module(const DataParallelState *state, const Module *module)
{
    Placement placement = {device_cuda(state->device_ids[0]), OK};
    module_each_parameter(module, check_place, &placement);
    if (placement.status == OK)
        module_each_buffer(module, check_place, &placement);
    return placement.status == OK ? status_peek() : placement.status;
}

/* A replica's failure, with its number. */
static Status caught(int replica, int device_id)
{
    char *sentence = mem_copy_text(status_sentence());
    Status status = status_take();
    status_fail(status, "Caught %s in replica %d on device %d.\n%s: %s",
                status_type(status), replica, device_id, status_type(status),
                sentence ? sentence : "");
    mem_free(sentence);
    return status;
}

/* Each replica is called with its GPU current, in device order, from this one
 * host thread: the work is issued, not awaited, so all GPUs are busy at once.
 */
static Status apply(const DataParallelState *state, Module *const *replicas,
                    Tree *const *inputs, int n, Tree **outputs)
{
    for (int i = 0; i < n; i++) {
        CudaScope scope;
        TRY(cuda_scope_make(device_cuda(state->device_ids[i]), &scope));
        TRY(cuda_scope_enter(&scope));
        outputs[i] = module_forward_tree(replicas[i], inputs[i]);
        Status status = outputs[i] ? OK : caught(i, state->device_ids[i]);
        TRY(cuda_scope_leave(&scope));
        TRY(status);
    }
    return OK;
}

static Tree *run(const DataParallelState *state, Module *module, Tree *inputs)
{
    Tree *pieces[MOST], *outputs[MOST];
    Module *replicas[MOST];
    if (check_module(state, module) != OK)
        return NULL;
    int n = 1;
    pieces[0] = inputs;
    bool no_inputs =
        (tree_kind(inputs) == TREE_LIST || tree_kind(inputs) == TREE_DICT) &&
        tree_size(inputs) == 0;
    if (!no_inputs)
        n = tree_scatter(inputs, state->device_ids, state->n, state->dim,
                         pieces);
    if (n < 0)
        return NULL;
    if (state->n == 1)
        return module_forward_tree(module, pieces[0]);
    if (replicate(module, state->device_ids, n, replicas) != OK ||
        apply(state, replicas, pieces, n, outputs) != OK)
        return NULL;
    return tree_gather(outputs, n, state->output_device, state->dim);
}

static Tree *forward_tree(Module *self, Tree *inputs)
{
    const DataParallelState *state = module_state(self);
    Module *module = module_child(self, "module");
    return state->n == 0 ? module_forward_tree(module, inputs)
                         : run(state, module, inputs);
}

static const ModuleType DATA_PARALLEL = {
    .name = "DataParallel",
    .forward_tree = forward_tree,
    .state_bytes = sizeof(DataParallelState),
};

/* Which GPUs: those asked for, or all that are visible. */
static Status choose_devices(const DataParallelOptions *options,
                             DataParallelState *state)
{
    if (!cuda_is_available())
        return OK;
    if (options->device_ids && options->n_device_ids == 0)
        return status_fail(ERR_INDEX, "list index out of range");
    state->n =
        options->device_ids ? options->n_device_ids : cuda_device_count();
    if (state->n > MOST)
        return status_fail(ERR_VALUE,
                           "DataParallel takes at most %d GPUs, but got %d",
                           MOST, state->n);
    for (int i = 0; i < state->n; i++)
        state->device_ids[i] = options->device_ids ? options->device_ids[i] : i;
    state->output_device = options->has_output_device
                               ? options->output_device
                               : device_cuda(state->device_ids[0]);
    return balance_check(state->device_ids, state->n);
}

Module *data_parallel_new(Module *module, DataParallelOptions options)
{
    if (!CHECK_NOT_NULL(module))
        return NULL;
    Module *made = module_new(&DATA_PARALLEL);
    if (!made)
        return NULL;
    DataParallelState *state = module_state(made);
    state->dim = options.dim;
    if (choose_devices(&options, state) != OK ||
        module_add_child(made, "module", module) != OK)
        return NULL;
    if (state->n == 1 && !module_cuda(module, state->device_ids[0]))
        return NULL;
    return made;
}

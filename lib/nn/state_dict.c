/* A module's tensors to a file and back: all of them, or none. */
#include "nn/state_dict.h"

#include "base/alloc.h"         // defines: mem_new, mem_free
#include "base/status.h"        // defines: status_fail, TRY
#include "base/text.h"          // defines: Text
#include "nn/module_internal.h" // defines: struct Module
#include "nn/npz.h"             // defines: npz_write, npz_read
#include "tensor/functional.h"  // defines: tensor_contiguous, tensor_copy_
#include "tensor/scope.h"       // defines: scope_open, scope_close
#include "tensor/tape.h"        // defines: tensor_detach, no_grad_enter
#include <stdio.h>
#include <string.h>

static bool each_of(const EntryList *list, const char *prefix,
                    ModuleVisit visit, void *context)
{
    bool go_on = true;
    for (int i = 0; go_on && i < list->n; i++) {
        if (!list->entries[i].item)
            continue; // 'bias', None: not in a state dict
        Text name = {0};
        text_addf(&name, "%s%s", prefix, list->entries[i].name);
        go_on =
            !name.failed && visit(context, name.data, list->entries[i].item);
        text_clear(&name);
    }
    return go_on;
}

/* Unlike a walk, a state dict keeps what is shared under both its names. */
static bool each_state(const Module *module, const char *prefix,
                       ModuleVisit visit, void *context)
{
    bool go_on = each_of(&module->parameters, prefix, visit, context) &&
                 each_of(&module->buffers, prefix, visit, context);
    for (int i = 0; go_on && i < module->children.n; i++) {
        Text path = {0};
        text_addf(&path, "%s%s.", prefix, module->children.entries[i].name);
        go_on = !path.failed && each_state(module->children.entries[i].item,
                                           path.data, visit, context);
        text_clear(&path);
    }
    return go_on;
}

void module_each_state(const Module *module, ModuleVisit visit, void *context)
{
    if (CHECK_NOT_NULL(module))
        each_state(module, "", visit, context);
}

static bool count_one(void *context, const char *name, Tensor *x)
{
    (void)name;
    (void)x;
    ++*(int *)context;
    return true;
}

typedef struct Saving {
    NpzEntry *entries;
    int n;
} Saving;

/* The numbers in host memory, in C order; lent by the current scope. */
static bool add_entry(void *context, const char *name, Tensor *x)
{
    Saving *saving = context;
    NpzEntry *entry = &saving->entries[saving->n++];
    Tensor *host = tensor_contiguous(tensor_cpu(tensor_detach(x)));
    if (!host)
        return false;
    if (strlen(name) >= sizeof entry->name) {
        status_fail(ERR_FILE, "the name '%s' is too long for a state dict",
                    name);
        return false;
    }
    snprintf(entry->name, sizeof entry->name, "%s", name);
    entry->dtype = tensor_dtype(host);
    entry->shape = tensor_shape(host);
    entry->data = tensor_data(host);
    entry->n_bytes = tensor_nbytes(host);
    return true;
}

Status module_save(const Module *module, const char *path)
{
    if (!CHECK_NOT_NULL(module) || !CHECK_NOT_NULL(path))
        return status_peek();
    int n = 0;
    module_each_state(module, count_one, &n);
    if (status_peek() != OK)
        return status_peek(); // an unfinished walk counts too few
    Saving saving = {mem_new(((size_t)n + 1) * sizeof(NpzEntry)), 0};
    if (!saving.entries)
        return status_peek();
    Status status = scope_open();
    if (status == OK) {
        module_each_state(module, add_entry, &saving);
        status = status_peek();
        if (status == OK)
            status = npz_write(path, saving.entries, saving.n);
        scope_close();
    }
    mem_free(saving.entries);
    return status;
}

/* A tensor of the module and what it will hold, on its device already. */
typedef struct Pair {
    Tensor *x;
    Tensor *saved;
} Pair;

/* A first walk collects complaints, a second one brings the numbers to their
 * devices; then, when little can go wrong any more, all are copied. */
typedef struct Loading {
    const Npz *npz;
    bool *used;
    Pair *pairs;
    int n, n_pairs;
    Text missing, mismatched;
} Loading;

static int find(const Npz *npz, const char *name)
{
    for (int i = 0; i < npz->n; i++)
        if (strcmp(npz->entries[i].name, name) == 0)
            return i;
    return -1;
}

static bool check_entry(void *context, const char *name, Tensor *x)
{
    Loading *loading = context;
    loading->n++;
    int i = find(loading->npz, name);
    if (i < 0) {
        text_addf(&loading->missing, "%s\"%s\"",
                  loading->missing.length ? ", " : "", name);
        return true;
    }
    loading->used[i] = true;
    Shape saved = loading->npz->entries[i].shape;
    if (!shape_equal(saved, tensor_shape(x)))
        text_addf(
            &loading->mismatched,
            "\n\tsize mismatch for %s: copying a param with shape %s from "
            "checkpoint, the shape in current model is %s.",
            name, shape_str(saved).text, shape_str(tensor_shape(x)).text);
    return true;
}

static bool bring_entry(void *context, const char *name, Tensor *x)
{
    Loading *loading = context;
    const NpzEntry *entry = &loading->npz->entries[find(loading->npz, name)];
    Tensor *saved =
        tensor_new(entry->dtype, entry->shape, entry->data, device_cpu());
    saved = tensor_to(tensor_cast(saved, tensor_dtype(x)), tensor_device(x));
    if (!saved)
        return false;
    loading->pairs[loading->n_pairs++] = (Pair){x, saved};
    return true;
}

static Status bring_and_copy(Module *module, Loading *loading)
{
    loading->pairs = mem_new((size_t)loading->n * sizeof *loading->pairs);
    if (!loading->pairs)
        return status_peek();
    module_each_state(module, bring_entry, loading);
    Status status = status_peek();
    for (int i = 0; status == OK && i < loading->n_pairs; i++)
        if (!tensor_copy_(loading->pairs[i].x, loading->pairs[i].saved))
            status = status_peek();
    mem_free(loading->pairs);
    return status;
}

/* PyTorch's report: missing keys, unexpected keys, then the mismatches. */
static Status complaints(const Module *module, Loading *loading)
{
    Text unexpected = {0}, report = {0};
    for (int i = 0; i < loading->npz->n; i++)
        if (!loading->used[i])
            text_addf(&unexpected, "%s\"%s\"", unexpected.length ? ", " : "",
                      loading->npz->entries[i].name);
    if (loading->missing.length)
        text_addf(&report, "\n\tMissing key(s) in state_dict: %s. ",
                  loading->missing.data);
    if (unexpected.length)
        text_addf(&report, "\n\tUnexpected key(s) in state_dict: %s. ",
                  unexpected.data);
    if (loading->mismatched.length)
        text_add(&report, loading->mismatched.data);
    Status status = status_peek();
    if (status == OK && report.length)
        status =
            status_fail(ERR_RUNTIME, "Error(s) in loading state_dict for %s:%s",
                        module->type->name, report.data);
    text_clear(&unexpected);
    text_clear(&report);
    return status;
}

static Status load(Module *module, const Npz *npz)
{
    Loading loading = {.npz = npz, .used = mem_new((size_t)npz->n + 1)};
    if (!loading.used)
        return status_peek();
    module_each_state(module, check_entry, &loading);
    Status status = complaints(module, &loading);
    if (status == OK)
        status = scope_open();
    if (status == OK) {
        bool recording = no_grad_enter();
        status = bring_and_copy(module, &loading);
        no_grad_leave(recording);
        scope_close();
    }
    mem_free(loading.used);
    text_clear(&loading.missing);
    text_clear(&loading.mismatched);
    return status;
}

Status module_load(Module *module, const char *path)
{
    if (!CHECK_NOT_NULL(module) || !CHECK_NOT_NULL(path))
        return status_peek();
    Npz npz;
    TRY(npz_read(path, &npz));
    Status status = load(module, &npz);
    npz_clear(&npz);
    return status;
}

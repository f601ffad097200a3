/* The order in which PyTorch walks a module tree, and what is counted on it. */
#include "nn/module.h"

#include "base/alloc.h"         // defines: mem_resize, mem_free
#include "base/status.h"        // defines: CHECK_NOT_NULL
#include "base/text.h"          // defines: Text
#include "nn/module_internal.h" // defines: struct Module, module_walk

/* Things met before: walks drop duplicates by identity. */
typedef struct Seen {
    const void **items;
    int n;
    int capacity;
} Seen;

typedef enum Met { MET_NOW, MET_BEFORE, MET_NO_MEMORY } Met;

/* Without memory a walk must stop: shown twice, a tensor would be one more than
 * its caller counted. The failure is recorded. */
static Met seen_add(Seen *seen, const void *item)
{
    for (int i = 0; i < seen->n; i++)
        if (seen->items[i] == item)
            return MET_BEFORE;
    if (seen->n == seen->capacity) {
        int capacity = seen->capacity ? 2 * seen->capacity : 16;
        void *grown =
            mem_resize(seen->items, (size_t)capacity * sizeof *seen->items);
        if (!grown)
            return MET_NO_MEMORY;
        seen->items = grown;
        seen->capacity = capacity;
    }
    seen->items[seen->n++] = item;
    return MET_NOW;
}

typedef struct Walk {
    ModuleWalk visit;
    void *context;
    Seen seen;
} Walk;

static bool walk_from(Walk *walk, const char *prefix, const Module *module)
{
    Met met = seen_add(&walk->seen, module);
    if (met != MET_NOW)
        return met == MET_BEFORE;
    if (!walk->visit(walk->context, prefix, (Module *)module))
        return false;
    bool go_on = true;
    for (int i = 0; go_on && i < module->children.n; i++) {
        Text path = {0};
        text_addf(&path, "%s%s.", prefix, module->children.entries[i].name);
        go_on = !path.failed &&
                walk_from(walk, path.data, module->children.entries[i].item);
        text_clear(&path);
    }
    return go_on;
}

bool module_walk(const Module *module, ModuleWalk visit, void *context)
{
    Walk walk = {.visit = visit, .context = context};
    bool whole = walk_from(&walk, "", module);
    mem_free(walk.seen.items);
    return whole;
}

typedef struct TensorWalk {
    ModuleVisit visit;
    void *context;
    bool buffers;
    Seen seen;
} TensorWalk;

static bool visit_tensors(void *context, const char *prefix, Module *module)
{
    TensorWalk *walk = context;
    const EntryList *list =
        walk->buffers ? &module->buffers : &module->parameters;
    if (!walk->buffers && module->is_replica)
        return true; // a replica's tensors are no parameters of its own
    bool go_on = true;
    for (int i = 0; go_on && i < list->n; i++) {
        Tensor *x = list->entries[i].item;
        Met met = x ? seen_add(&walk->seen, x) : MET_BEFORE;
        if (met == MET_BEFORE)
            continue;
        if (met == MET_NO_MEMORY)
            return false;
        Text name = {0};
        text_addf(&name, "%s%s", prefix, list->entries[i].name);
        go_on = !name.failed && walk->visit(walk->context, name.data, x);
        text_clear(&name);
    }
    return go_on;
}

static void each(const Module *module, bool buffers, ModuleVisit visit,
                 void *context)
{
    TensorWalk walk = {.visit = visit, .context = context, .buffers = buffers};
    module_walk(module, visit_tensors, &walk);
    mem_free(walk.seen.items);
}

void module_each_parameter(const Module *module, ModuleVisit visit,
                           void *context)
{
    if (CHECK_NOT_NULL(module))
        each(module, false, visit, context);
}

void module_each_buffer(const Module *module, ModuleVisit visit, void *context)
{
    if (CHECK_NOT_NULL(module))
        each(module, true, visit, context);
}

static bool count_one(void *context, const char *name, Tensor *x)
{
    (void)name;
    (void)x;
    ++*(int *)context;
    return true;
}

int module_n_parameters(const Module *module)
{
    int n = 0;
    if (CHECK_NOT_NULL(module))
        module_each_parameter(module, count_one, &n);
    return n;
}

int module_n_buffers(const Module *module)
{
    int n = 0;
    if (CHECK_NOT_NULL(module))
        module_each_buffer(module, count_one, &n);
    return n;
}

static bool add_bytes(void *context, const char *name, Tensor *x)
{
    (void)name;
    *(size_t *)context += tensor_nbytes(x);
    return true;
}

size_t module_nbytes(const Module *module)
{
    size_t n_bytes = 0;
    module_each_parameter(module, add_bytes, &n_bytes);
    module_each_buffer(module, add_bytes, &n_bytes);
    return n_bytes;
}

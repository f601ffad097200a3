/* The order in which PyTorch walks a module tree, and what is counted on it. */
#include "nn/module.h"

#include "base/alloc.h"         // defines: mem_resize, mem_free
#include "base/status.h"        // defines: CHECK_NOT_NULL
#include "base/text.h"          // defines: Text
#include "nn/module_internal.h" // defines: struct Module, EntryList

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

/* What a walk knows: whom it shows tensors to, what it has met, and the name of
 * where it is, which grows and shrinks as it goes. */
typedef struct Walk {
    ModuleVisit visit;
    void *context;
    bool buffers;
    Seen modules;
    Seen tensors;
    Text name;
} Walk;

/* The name becomes its first `length` bytes and a word more. */
static bool name_becomes(Text *name, size_t length, const char *word)
{
    name->length = length;
    text_add(name, word);
    return !name->failed;
}

/* The tensors of one module, each once; false: stop. */
static bool show_tensors(Walk *walk, const EntryList *list)
{
    size_t prefix = walk->name.length;
    for (int i = 0; i < list->n; i++) {
        Tensor *x = list->entries[i].item;
        Met met = x ? seen_add(&walk->tensors, x) : MET_BEFORE;
        if (met == MET_BEFORE)
            continue;
        if (met == MET_NO_MEMORY ||
            !name_becomes(&walk->name, prefix, list->entries[i].name) ||
            !walk->visit(walk->context, walk->name.data, x))
            return false;
    }
    walk->name.length = prefix;
    return true;
}

/* Each module once, parents first, in PyTorch's named_modules order. */
static bool walk_from(Walk *walk, const Module *module)
{
    Met met = seen_add(&walk->modules, module);
    if (met != MET_NOW)
        return met == MET_BEFORE;
    if (walk->buffers && !show_tensors(walk, &module->buffers))
        return false;
    // A replica's tensors are no parameters of its own.
    if (!walk->buffers && !module->is_replica &&
        !show_tensors(walk, &module->parameters))
        return false;
    size_t prefix = walk->name.length;
    for (int i = 0; i < module->children.n; i++) {
        const Entry *child = &module->children.entries[i];
        if (!name_becomes(&walk->name, prefix, child->name) ||
            !name_becomes(&walk->name, walk->name.length, ".") ||
            !walk_from(walk, child->item))
            return false;
    }
    walk->name.length = prefix;
    return true;
}

static void each(const Module *module, bool buffers, ModuleVisit visit,
                 void *context)
{
    Walk walk = {.visit = visit, .context = context, .buffers = buffers};
    walk_from(&walk, module);
    mem_free(walk.modules.items);
    mem_free(walk.tensors.items);
    text_clear(&walk.name);
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

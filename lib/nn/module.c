/* Modules: made, registered in, looked up, run, counted. */
#include "nn/module.h"

#include "base/alloc.h"         // defines: mem_new, mem_free
#include "base/status.h"        // defines: status_fail, CHECK_NOT_NULL
#include "nn/module_internal.h" // defines: struct Module, Entry
#include "tensor/scope.h"       // defines: scope_hold, tensor_retain
#include "tensor/tape.h"        // defines: tensor_set_requires_grad
#include <string.h>

static void release_module(void *object)
{
    module_release(object);
}

static void release_tensor(void *object)
{
    tensor_release(object);
}

static void entry_list_free(EntryList *list, void (*release)(void *))
{
    for (int i = 0; i < list->n; i++) {
        mem_free(list->entries[i].name);
        if (list->entries[i].item)
            release(list->entries[i].item);
    }
    mem_free(list->entries);
    *list = (EntryList){0};
}

Status entry_list_add(EntryList *list, const char *name, void *item)
{
    if (list->n == list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 4;
        Entry *grown =
            mem_resize(list->entries, (size_t)capacity * sizeof *grown);
        if (!grown)
            return status_peek();
        list->entries = grown;
        list->capacity = capacity;
    }
    char *copy = mem_copy_text(name);
    if (!copy)
        return status_peek();
    list->entries[list->n++] = (Entry){copy, item};
    return OK;
}

Entry *entry_list_find(const EntryList *list, const char *name, size_t length)
{
    for (int i = 0; i < list->n; i++) {
        const char *known = list->entries[i].name;
        if (strlen(known) == length && memcmp(known, name, length) == 0)
            return &list->entries[i];
    }
    return NULL;
}

Module *module_new(const ModuleType *type)
{
    Module *module = mem_new(sizeof *module);
    if (!module)
        return NULL;
    *module = (Module){.n_counts = 1, .type = type, .training = true};
    if (type->state_bytes && !(module->state = mem_new(type->state_bytes))) {
        mem_free(module);
        return NULL;
    }
    if (scope_hold(module, release_module) != OK) {
        module_release(module);
        return NULL;
    }
    return module;
}

const ModuleType *module_type(const Module *module)
{
    return CHECK_NOT_NULL(module) ? module->type : NULL;
}

void *module_state(const Module *module)
{
    return CHECK_NOT_NULL(module) ? module->state : NULL;
}

Module *module_retain(Module *module)
{
    if (CHECK_NOT_NULL(module))
        module->n_counts++;
    return module;
}

void module_release(Module *module)
{
    if (!module || --module->n_counts > 0)
        return;
    entry_list_free(&module->parameters, release_tensor);
    entry_list_free(&module->buffers, release_tensor);
    entry_list_free(&module->children, release_module);
    mem_free(module->state);
    mem_free(module);
}

/* A name must be new in all three lists, not empty and without a dot. */
static Status check_name(const Module *module, const char *kind,
                         const char *name)
{
    size_t n = strlen(name);
    if (n == 0)
        return status_fail(ERR_KEY, "%s name can't be empty string \"\"", kind);
    if (strchr(name, '.'))
        return status_fail(ERR_KEY, "%s name can't contain \".\", got: %s",
                           kind, name);
    if (entry_list_find(&module->parameters, name, n) ||
        entry_list_find(&module->buffers, name, n) ||
        entry_list_find(&module->children, name, n))
        return status_fail(ERR_KEY, "attribute '%s' already exists", name);
    return OK;
}

static Status add_tensor(EntryList *list, const char *name, Tensor *x)
{
    TRY(entry_list_add(list, name, x));
    if (x)
        tensor_retain(x);
    return OK;
}

Status module_add_parameter(Module *module, const char *name, Tensor *x)
{
    if (status_peek() != OK)
        return status_peek(); // x may be NULL because making it failed
    if (!CHECK_NOT_NULL(module))
        return status_peek();
    TRY(check_name(module, "parameter", name));
    if (x)
        TRY(tensor_set_requires_grad(x, true));
    return add_tensor(&module->parameters, name, x);
}

Status module_add_buffer(Module *module, const char *name, Tensor *x)
{
    if (status_peek() != OK)
        return status_peek();
    if (!CHECK_NOT_NULL(module))
        return status_peek();
    TRY(check_name(module, "buffer", name));
    return add_tensor(&module->buffers, name, x);
}

static bool contains(const Module *tree, const Module *module)
{
    bool found = tree == module;
    for (int i = 0; !found && i < tree->children.n; i++)
        found = contains(tree->children.entries[i].item, module);
    return found;
}

Status module_add_child(Module *module, const char *name, Module *child)
{
    if (status_peek() != OK)
        return status_peek();
    if (!CHECK_NOT_NULL(module) || !CHECK_NOT_NULL(child))
        return status_peek();
    TRY(check_name(module, "module", name));
    if (contains(child, module))
        return status_fail(ERR_VALUE, "a module cannot contain itself: '%s'",
                           name);
    TRY(entry_list_add(&module->children, name, child));
    module_retain(child);
    return OK;
}

Status module_set_buffer(Module *module, const char *name, Tensor *x)
{
    if (status_peek() != OK)
        return status_peek();
    if (!CHECK_NOT_NULL(module))
        return status_peek();
    Entry *entry = entry_list_find(&module->buffers, name, strlen(name));
    if (!entry)
        return status_fail(ERR_ATTRIBUTE, "'%s' object has no buffer '%s'",
                           module->type->name, name);
    if (x)
        tensor_retain(x);
    tensor_release(entry->item);
    entry->item = x;
    return OK;
}

typedef enum Kind { PARAMETER, BUFFER, CHILD } Kind;

static const EntryList *list_of(const Module *module, Kind kind)
{
    switch (kind) {
    case PARAMETER:
        return &module->parameters;
    case BUFFER:
        return &module->buffers;
    case CHILD:
        break;
    }
    return &module->children;
}

/* Follow the dots of a name down to its last part. That something is absent
 * is no failure, but noted, should somebody go on with the NULL. */
static void *find(const char *function, const Module *module, const char *name,
                  Kind kind)
{
    if (!CHECK_NOT_NULL_OF(function, module))
        return NULL;
    for (;;) {
        size_t n = strcspn(name, ".");
        bool last = name[n] == '\0';
        Entry *entry =
            entry_list_find(list_of(module, last ? kind : CHILD), name, n);
        if (!entry) {
            status_note_absent(function, module->type->name, name, n);
            return NULL;
        }
        if (last)
            return entry->item;
        module = entry->item;
        name += n + 1;
    }
}

Tensor *module_parameter(const Module *module, const char *name)
{
    return find(__func__, module, name, PARAMETER);
}

Tensor *module_buffer(const Module *module, const char *name)
{
    return find(__func__, module, name, BUFFER);
}

Module *module_child(const Module *module, const char *name)
{
    return find(__func__, module, name, CHILD);
}

int module_n_children(const Module *module)
{
    return CHECK_NOT_NULL(module) ? module->children.n : 0;
}

Module *module_child_at(const Module *module, int index)
{
    bool known = index >= 0 && index < module_n_children(module);
    return known ? module->children.entries[index].item : NULL;
}

Tensor *module_forward(Module *module, Tensor *input)
{
    if (!CHECK_NOT_NULL(module) || !CHECK_NOT_NULL(input))
        return NULL;
    if (!module->type->forward && module->type->forward_tree) {
        Tree *output = module_forward_tree(module, tree_tensor(input));
        return output ? tree_as_tensor(output) : NULL;
    }
    if (!module->type->forward) {
        status_fail(ERR_RUNTIME,
                    "%s has no forward of one input; a loss is called with "
                    "loss_forward(criterion, input, target)",
                    module->type->name);
        return NULL;
    }
    return module->type->forward(module, input);
}

/* A module of one input, called with a tree. */
static Tree *forward_single(Module *module, const Tree *inputs)
{
    if (tree_kind(inputs) == TREE_LIST && tree_size(inputs) == 1)
        inputs = tree_at(inputs, 0);
    if (tree_kind(inputs) != TREE_TENSOR) {
        status_fail(ERR_TYPE, "%s takes one tensor", module->type->name);
        return NULL;
    }
    Tensor *output = module_forward(module, tree_as_tensor(inputs));
    return output ? tree_tensor(output) : NULL;
}

Tree *module_forward_tree(Module *module, Tree *inputs)
{
    if (!CHECK_NOT_NULL(module) || !CHECK_NOT_NULL(inputs))
        return NULL;
    if (module->type->forward_tree)
        return module->type->forward_tree(module, inputs);
    return forward_single(module, inputs);
}

Module *module_train(Module *module, bool training)
{
    if (!CHECK_NOT_NULL(module))
        return NULL;
    module->training = training;
    for (int i = 0; i < module->children.n; i++)
        module_train(module->children.entries[i].item, training);
    return module;
}

bool module_is_training(const Module *module)
{
    return CHECK_NOT_NULL(module) && module->training;
}

/* The same tree of modules with other tensors. */
#include "nn/module.h"

#include "base/alloc.h"         // defines: mem_resize, mem_free
#include "base/status.h"        // defines: CHECK_NOT_NULL, TRY
#include "nn/module_internal.h" // defines: struct Module
#include "tensor/scope.h"       // defines: tensor_retain
#include <string.h>

typedef struct Pair {
    const Module *original;
    Module *copy;
} Pair;

/* Which module stands for which: a shared one is copied once. */
typedef struct Copying {
    Tensor *(*replace)(void *context, Tensor *x);
    void *context;
    Pair *pairs;
    int n;
    int capacity;
} Copying;

static Status add_pair(Copying *copying, const Module *original, Module *copy)
{
    if (copying->n == copying->capacity) {
        int capacity = copying->capacity ? 2 * copying->capacity : 16;
        Pair *grown =
            mem_resize(copying->pairs, (size_t)capacity * sizeof *grown);
        if (!grown)
            return status_peek();
        copying->pairs = grown;
        copying->capacity = capacity;
    }
    copying->pairs[copying->n++] = (Pair){original, copy};
    return OK;
}

static Status copy_tensors(Copying *copying, const EntryList *from,
                           EntryList *to)
{
    for (int i = 0; i < from->n; i++) {
        Tensor *x = from->entries[i].item;
        Tensor *y = x ? copying->replace(copying->context, x) : NULL;
        if (x && !y)
            return status_peek();
        TRY(entry_list_add(to, from->entries[i].name, y));
        if (y)
            tensor_retain(y);
    }
    return OK;
}

static Module *copy(Copying *copying, const Module *module);

static Status copy_into(Copying *copying, const Module *from, Module *to)
{
    to->training = from->training;
    to->is_replica = true;
    if (from->type->state_bytes)
        memcpy(to->state, from->state, from->type->state_bytes);
    TRY(copy_tensors(copying, &from->parameters, &to->parameters));
    TRY(copy_tensors(copying, &from->buffers, &to->buffers));
    for (int i = 0; i < from->children.n; i++) {
        Module *child = copy(copying, from->children.entries[i].item);
        if (!child)
            return status_peek();
        TRY(entry_list_add(&to->children, from->children.entries[i].name,
                           child));
        module_retain(child);
    }
    return OK;
}

static Module *copy(Copying *copying, const Module *module)
{
    for (int i = 0; i < copying->n; i++)
        if (copying->pairs[i].original == module)
            return copying->pairs[i].copy;
    Module *made = module_new(module->type);
    if (!made || add_pair(copying, module, made) != OK)
        return NULL;
    return copy_into(copying, module, made) == OK ? made : NULL;
}

Module *module_replica(const Module *module,
                       Tensor *(*replace)(void *context, Tensor *x),
                       void *context)
{
    if (!CHECK_NOT_NULL(module))
        return NULL;
    Copying copying = {.replace = replace, .context = context};
    Module *made = copy(&copying, module);
    mem_free(copying.pairs);
    return made;
}

bool module_is_replica(const Module *module)
{
    return CHECK_NOT_NULL(module) && module->is_replica;
}

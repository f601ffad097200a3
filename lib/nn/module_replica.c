/* The same tree of modules with other tensors. */
#include "nn/module.h"

#include "base/alloc.h"         // defines: mem_new, mem_free
#include "base/status.h"        // defines: CHECK_NOT_NULL, TRY
#include "nn/module_internal.h" // defines: struct Module
#include "tensor/scope.h"       // defines: tensor_retain
#include <string.h>

/* Which module stands for which: a shared one is copied once. */
typedef struct Copying {
    Tensor *(*replace)(void *context, Tensor *x);
    void *context;
    const Module **originals;
    Module **copies;
    int n;
} Copying;

static bool count_module(void *context, const char *prefix, Module *module)
{
    (void)prefix;
    (void)module;
    ++*(int *)context;
    return true;
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
        if (copying->originals[i] == module)
            return copying->copies[i];
    Module *made = module_new(module->type);
    if (!made)
        return NULL;
    copying->originals[copying->n] = module;
    copying->copies[copying->n++] = made;
    return copy_into(copying, module, made) == OK ? made : NULL;
}

Module *module_replica(const Module *module,
                       Tensor *(*replace)(void *context, Tensor *x),
                       void *context)
{
    if (!CHECK_NOT_NULL(module))
        return NULL;
    int n = 0;
    if (!module_walk(module, count_module, &n))
        return NULL;
    Copying copying = {.replace = replace, .context = context};
    copying.originals = mem_new((size_t)n * sizeof *copying.originals);
    copying.copies = mem_new((size_t)n * sizeof(Module *));
    Module *made = NULL;
    if (copying.originals && copying.copies)
        made = copy(&copying, module);
    mem_free(copying.originals);
    mem_free(copying.copies);
    return made;
}

bool module_is_replica(const Module *module)
{
    return CHECK_NOT_NULL(module) && module->is_replica;
}

/* What the files of nn share: how a Module lies in memory. */
#ifndef NN_MODULE_INTERNAL_H
#define NN_MODULE_INTERNAL_H

#include "nn/module.h" // defines: Module

/* One registered name. `item` is a Tensor or a Module, counted by the list;
 * NULL stands for a name registered without a value ('bias', None). */
typedef struct Entry {
    char *name;
    void *item;
} Entry;

typedef struct EntryList {
    Entry *entries;
    int n;
    int capacity;
} EntryList;

/*
 *   Module ── parameters: [weight, bias]     Tensors with requires_grad
 *          ── buffers:    [running_mean, …]  Tensors without
 *          ── children:   [0, 1, …]          Modules
 */
struct Module {
    int n_counts;
    const ModuleType *type;
    void *state; // type->state_bytes, owned
    bool training;
    bool is_replica; // made by replicate: walks show no parameters
    EntryList parameters;
    EntryList buffers;
    EntryList children;
};

/* Append a name; takes over no count. */
Status entry_list_add(EntryList *list, const char *name, void *item);
/* The entry of that name, or NULL. */
Entry *entry_list_find(const EntryList *list, const char *name, size_t length);

#endif

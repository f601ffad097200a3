/* Lists and dicts of tensors. */
#include "nn/tree.h"

#include "base/alloc.h"   // defines: mem_new, mem_free
#include "base/status.h"  // defines: status_fail, CHECK_NOT_NULL
#include "tensor/scope.h" // defines: scope_hold, tensor_retain
#include <string.h>

struct Tree {
    int n_counts;
    TreeKind kind;
    Tensor *tensor;
    double number;
    int n;
    Tree **branches;
    char **names; // of a dict
};

static void release(void *object)
{
    Tree *tree = object;
    if (!tree || --tree->n_counts > 0)
        return;
    tensor_release(tree->tensor);
    for (int i = 0; i < tree->n; i++) {
        release(tree->branches[i]);
        if (tree->names)
            mem_free(tree->names[i]);
    }
    mem_free(tree->branches);
    mem_free(tree->names);
    mem_free(tree);
}

/* The scope takes over the one count; without it the tree goes at once. */
static Tree *hold(Tree *tree)
{
    if (tree && scope_hold(tree, release) == OK)
        return tree;
    release(tree);
    return NULL;
}

static Tree *make(TreeKind kind)
{
    Tree *tree = mem_new(sizeof *tree);
    if (tree)
        *tree = (Tree){.n_counts = 1, .kind = kind};
    return tree;
}

Tree *tree_none(void)
{
    return hold(make(TREE_NONE));
}

Tree *tree_tensor(Tensor *x)
{
    if (!CHECK_NOT_NULL(x))
        return NULL;
    Tree *tree = make(TREE_TENSOR);
    if (tree)
        tree->tensor = tensor_retain(x);
    return hold(tree);
}

Tree *tree_number(double number)
{
    Tree *tree = make(TREE_NUMBER);
    if (tree)
        tree->number = number;
    return hold(tree);
}

static Status fill(const char *function, Tree *tree, const char *const *names,
                   Tree *const *branches, int n)
{
    tree->branches = mem_new(((size_t)n + 1) * sizeof *tree->branches);
    if (names)
        tree->names = mem_new(((size_t)n + 1) * sizeof *tree->names);
    if (!tree->branches || (names && !tree->names))
        return status_peek();
    for (int i = 0; i < n; i++) {
        if (!CHECK_NOT_NULL_OF(function, branches[i]))
            return status_peek();
        if (names && !(tree->names[i] = mem_copy_text(names[i])))
            return status_peek();
        tree->branches[i] = branches[i];
        tree->branches[i]->n_counts++;
        tree->n++;
    }
    return OK;
}

static Tree *make_branches(const char *function, TreeKind kind,
                           const char *const *names, Tree *const *branches,
                           int n)
{
    Tree *tree = make(kind);
    if (tree && fill(function, tree, names, branches, n) != OK) {
        release(tree);
        return NULL;
    }
    return hold(tree);
}

Tree *tree_list(Tree *const *branches, int n)
{
    return make_branches(__func__, TREE_LIST, NULL, branches, n);
}

Tree *tree_dict(const char *const *names, Tree *const *branches, int n)
{
    return make_branches(__func__, TREE_DICT, names, branches, n);
}

TreeKind tree_kind(const Tree *tree)
{
    return CHECK_NOT_NULL(tree) ? tree->kind : TREE_NONE;
}

int tree_size(const Tree *tree)
{
    return CHECK_NOT_NULL(tree) ? tree->n : 0;
}

Tree *tree_at(const Tree *tree, int index)
{
    return index >= 0 && index < tree_size(tree) ? tree->branches[index] : NULL;
}

const char *tree_name_at(const Tree *tree, int index)
{
    return index >= 0 && index < tree_size(tree) && tree->names
               ? tree->names[index]
               : NULL;
}

Tree *tree_get(const Tree *tree, const char *name)
{
    for (int i = 0; i < tree_size(tree) && tree->names; i++)
        if (strcmp(tree->names[i], name) == 0)
            return tree->branches[i];
    return NULL;
}

static const char *kind_name(TreeKind kind)
{
    static const char *const NAMES[] = {"None", "a tensor", "a number",
                                        "a list", "a dict"};
    return NAMES[kind];
}

Tensor *tree_as_tensor(const Tree *tree)
{
    if (!CHECK_NOT_NULL(tree))
        return NULL;
    if (tree->kind != TREE_TENSOR)
        status_fail(ERR_TYPE, "expected a tensor but got %s",
                    kind_name(tree->kind));
    return tree->tensor;
}

double tree_as_number(const Tree *tree)
{
    if (!CHECK_NOT_NULL(tree))
        return 0;
    if (tree->kind != TREE_NUMBER)
        status_fail(ERR_TYPE, "expected a number but got %s",
                    kind_name(tree->kind));
    return tree->number;
}

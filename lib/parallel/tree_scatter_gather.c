/* Scatter and gather, branch by branch. */
#include "parallel/tree_scatter_gather.h"

#include "base/alloc.h"              // defines: mem_new, mem_free
#include "base/status.h"             // defines: status_fail, CHECK_NOT_NULL
#include "parallel/scatter_gather.h" // defines: scatter, gather

static Tree *rebuild(const Tree *like, Tree *const *branches)
{
    int n = tree_size(like);
    if (tree_kind(like) == TREE_LIST)
        return tree_list(branches, n);
    const char **names = mem_new(((size_t)n + 1) * sizeof *names);
    if (!names)
        return NULL;
    for (int i = 0; i < n; i++)
        names[i] = tree_name_at(like, i);
    Tree *made = tree_dict(names, branches, n);
    mem_free(names);
    return made;
}

static int scatter_tensor(Tree *tree, const int *device_ids, int n, int dim,
                          Tree **out)
{
    Tensor **pieces = mem_new((size_t)n * sizeof *pieces);
    if (!pieces)
        return -1;
    int count = scatter(tree_as_tensor(tree), device_ids, n, dim, pieces);
    for (int i = 0; i < count; i++)
        if (!(out[i] = tree_tensor(pieces[i])))
            count = -1;
    mem_free(pieces);
    return count;
}

/* Every branch is scattered, then the pieces of each GPU are put together;
 * the branch with the fewest pieces decides how many GPUs take part. */
static int scatter_branches(Tree *tree, const int *device_ids, int n, int dim,
                            Tree **out)
{
    int n_branches = tree_size(tree), count = n;
    Tree **grid = mem_new((size_t)n_branches * (size_t)n * sizeof *grid);
    Tree **column = mem_new((size_t)n_branches * sizeof *column);
    if (!grid || !column)
        count = -1;
    for (int b = 0; b < n_branches && count >= 0; b++) {
        int got = tree_scatter(tree_at(tree, b), device_ids, n, dim,
                               grid + (size_t)b * (size_t)n);
        count = got < count ? got : count;
    }
    for (int i = 0; i < count; i++) {
        for (int b = 0; b < n_branches; b++)
            column[b] = grid[(size_t)b * (size_t)n + (size_t)i];
        if (!(out[i] = rebuild(tree, column)))
            count = -1;
    }
    mem_free(grid);
    mem_free(column);
    return count;
}

int tree_scatter(Tree *tree, const int *device_ids, int n, int dim, Tree **out)
{
    if (!CHECK_NOT_NULL(tree))
        return -1;
    if (tree_kind(tree) == TREE_TENSOR)
        return scatter_tensor(tree, device_ids, n, dim, out);
    if (tree_size(tree) > 0)
        return scatter_branches(tree, device_ids, n, dim, out);
    for (int i = 0; i < n; i++)
        out[i] = tree; // the same thing for every GPU
    return n;
}

static Tree *gather_tensors(Tree *const *pieces, int n, Device device, int dim)
{
    Tensor **tensors = mem_new((size_t)n * sizeof *tensors);
    if (!tensors)
        return NULL;
    for (int i = 0; i < n; i++)
        tensors[i] = tree_as_tensor(pieces[i]);
    Tensor *whole =
        status_peek() == OK ? gather(tensors, n, device, dim) : NULL;
    mem_free(tensors);
    return whole ? tree_tensor(whole) : NULL;
}

static Tree *gather_branches(Tree *const *pieces, int n, Device device, int dim)
{
    const Tree *first = pieces[0];
    bool is_dict = tree_kind(first) == TREE_DICT;
    int n_branches = tree_size(first);
    Tree **branches = mem_new(((size_t)n_branches + 1) * sizeof *branches);
    Tree **column = mem_new((size_t)n * sizeof *column);
    Tree *made = NULL;
    bool good = branches && column;
    for (int b = 0; b < n_branches && good; b++) {
        for (int i = 0; i < n && good; i++) {
            column[i] = is_dict ? tree_get(pieces[i], tree_name_at(first, b))
                                : tree_at(pieces[i], b);
            good = column[i] && tree_size(pieces[i]) == n_branches;
        }
        if (!good)
            status_fail(ERR_VALUE,
                        is_dict
                            ? "All dicts must have the same number of keys"
                            : "All lists must have the same number of items");
        branches[b] = good ? tree_gather(column, n, device, dim) : NULL;
        good = branches[b] != NULL;
    }
    if (good)
        made = rebuild(first, branches);
    mem_free(branches);
    mem_free(column);
    return made;
}

Tree *tree_gather(Tree *const *pieces, int n, Device device, int dim)
{
    if (n < 1) {
        status_fail(ERR_RUNTIME, "Expected at least one tensor to gather from");
        return NULL;
    }
    for (int i = 0; i < n; i++)
        if (!CHECK_NOT_NULL(pieces[i]))
            return NULL;
    if (tree_kind(pieces[0]) == TREE_TENSOR)
        return gather_tensors(pieces, n, device, dim);
    if (tree_kind(pieces[0]) == TREE_LIST || tree_kind(pieces[0]) == TREE_DICT)
        return gather_branches(pieces, n, device, dim);
    return pieces[0]; // None, or a number
}

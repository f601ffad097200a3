/* Inputs and outputs with structure: lists and dicts of tensors, to any depth.
 *
 * What Python's tuples, lists and dicts are to a forward function. Counted and
 * held by the scope, as tensors are; a tree holds its branches.
 * source  PyTorch 1.13, torch/nn/parallel/scatter_gather.py (behaviour)
 */
#ifndef NN_TREE_H
#define NN_TREE_H

#include "tensor/tensor.h" // defines: Tensor

typedef struct Tree Tree;

typedef enum TreeKind {
    TREE_NONE, // Python's None
    TREE_TENSOR,
    TREE_NUMBER, // not a tensor: handed to every GPU as it is
    TREE_LIST,
    TREE_DICT,
} TreeKind;

/* Make one. owner: the current scope; NULL after a failure. */
API Tree *tree_none(void);
API Tree *tree_tensor(Tensor *x);
API Tree *tree_number(double number);
API Tree *tree_list(Tree *const *branches, int n);
/* Names are copied; their order is kept. */
API Tree *tree_dict(const char *const *names, Tree *const *branches, int n);

API TreeKind tree_kind(const Tree *tree);
API int tree_size(const Tree *tree); // branches of a list or dict; else 0
API Tree *tree_at(const Tree *tree, int index);            // NULL: no such one
API const char *tree_name_at(const Tree *tree, int index); // dict only
API Tree *tree_get(const Tree *tree, const char *name);    // NULL: no such one
/* The tensor itself, where it lives, or the number. Lent by the tree.
 * errors  ERR_TYPE when the tree is something else; NULL or 0 then */
API Tensor *tree_as_tensor(const Tree *tree);
API double tree_as_number(const Tree *tree);

#endif

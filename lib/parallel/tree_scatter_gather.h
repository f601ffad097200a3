/* Scatter and gather for inputs and outputs with structure.
 *
 * source  PyTorch 1.13, torch/nn/parallel/scatter_gather.py (behaviour)
 */
#ifndef PARALLEL_TREE_SCATTER_GATHER_H
#define PARALLEL_TREE_SCATTER_GATHER_H

#include "nn/tree.h" // defines: Tree

/* Tensors are cut, lists and dicts keep their structure piece by piece, what is
 * no tensor is handed to every GPU. Writes up to n trees; returns how many (the
 * fewest that any branch gives), or -1 after a failure. */
API int tree_scatter(Tree *tree, const int *device_ids, int n, int dim,
                     Tree **out);

/* errors  ERR_VALUE "All dicts must have the same number of keys"; what gather
 *         says. NULL then
 * owner   the current scope */
API Tree *tree_gather(Tree *const *pieces, int n, Device device, int dim);

#endif

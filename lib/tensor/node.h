/* One step of history: which op made a tensor, from what, and how gradients
 * flow back through it. Internal to tensor/ and to the floors above that add
 * differentiable steps of their own (parallel's broadcast).
 *
 *        inputs (edges)            outputs
 *   x ──┐                     ┌── y0     A tensor holds one count of the node
 *       ├──  Node "Addmm…"  ──┤          that made it and its output's number;
 *   w ──┘                     └── y1     an edge holds one count of the node
 *                                        before it, or of the leaf itself.
 *
 * Nodes are numbered as they are made, per process; backward takes the highest
 * number first, so a node runs after everything that used its outputs.
 * source  PyTorch 1.13, Autograd mechanics
 */
#ifndef TENSOR_NODE_H
#define TENSOR_NODE_H

#include "tensor/tensor.h" // defines: Tensor

typedef struct Node Node;

/* From the outputs' gradients to the inputs'.
 *
 * grads_out[i]  of output i, on that output's device; NULL: none arrived
 * grads_in[j]   write the gradient of input j, on that input's device; leave it
 *               NULL where node_needs(node, j) is false
 * Runs in no_grad, in a scope of its own: what it writes is kept by the walk.
 */
typedef Status (*NodeBackward)(const Node *node, Tensor *const *grads_out,
                               Tensor **grads_in);

typedef struct NodeType {
    const char *name; // "AddmmBackward", as grad_fn prints it
    NodeBackward backward;
} NodeType;

/* Is anything to be recorded? Grad mode is on and an input requires grad. */
API bool node_wanted(Tensor *const *inputs, int n_inputs);

/* Record that `type` made outputs from inputs (a NULL input is an absent one).
 * `constants` (n_bytes) are copied: the op's numbers, dims, sizes; a NULL among
 * `saved` stays NULL. The outputs come to require grad. They are fresh, without
 * history; or changed in place, and an input too: then that edge takes their
 * older history over.
 * Does nothing, and returns OK, when nothing is wanted.
 * errors  ERR_MEMORY */
API Status node_record(const NodeType *type, Tensor *const *inputs,
                       int n_inputs, Tensor *const *outputs, int n_outputs,
                       Tensor *const *saved, int n_saved, const void *constants,
                       size_t n_bytes);

/* For backward functions: what was recorded, on the device where it was. Lent
 * by the node; none of these can fail. */
API const void *node_constants(const Node *node);
API Tensor *node_saved(const Node *node, int index);
API bool node_needs(const Node *node, int input);
API int node_n_inputs(const Node *node);
API int node_n_outputs(const Node *node);
API Shape node_input_shape(const Node *node, int input);
API DType node_input_dtype(const Node *node, int input);
API Device node_input_device(const Node *node, int input);

#endif

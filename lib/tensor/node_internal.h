/* What a step of history is made of. Internal to this room: node.c makes and
 * frees steps, tape.c walks them. */
#ifndef TENSOR_NODE_INTERNAL_H
#define TENSOR_NODE_INTERNAL_H

#include "tensor/node.h"   // defines: Node, NodeType
#include "tensor/object.h" // defines: struct Tensor
#include <stdatomic.h>

/* Where an input's gradient goes: to the node that made it, or, for a leaf, to
 * the tensor itself. Neither: the input needs none. */
typedef struct Edge {
    Node *node;   // one count
    int output;   // of that node
    Tensor *leaf; // one count
    Shape shape;
    DType dtype;
    Device device;
} Edge;

typedef struct Saved {
    Tensor *tensor; // one count; NULL: absent, or freed by backward
    long writes;    // how often its bytes had been written when it was saved
    bool is_result; // an alias of the node's own output
} Saved;

struct Node {
    const NodeType *type;
    uint64_t number;
    atomic_long n_owners;
    int n_inputs, n_outputs, n_saved;
    Edge *inputs;
    Saved *saved;
    void *constants;
    bool freed; // backward has been here and gave the saved tensors back
    // During backward:
    Tensor **incoming; // per output: what has arrived; one count each
    bool is_collected; // the walk has it on its list
    Node *next_dying;  // while it is taken apart
};

/* Gives the saved tensors back. */
void node_forget(Node *node);
/* Are the saved tensors still there, and as they were?
 * errors  ERR_RUNTIME "Trying to backward through the graph a second time …";
 *         "one of the variables needed for gradient computation has been
 *         modified by an inplace operation: …" */
Status node_check_saved(const Node *node);
/* A view whose bytes were written since it was made has a history that no
 * longer tells how its numbers came to be; or none, and should have one, when
 * what was written had.
 * errors  ERR_RUNTIME "a view was used after its memory had been changed in
 *         place; …" */
Status node_check_view(const Tensor *x);

#endif

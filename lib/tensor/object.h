/* What a tensor is made of, and the small tools its files share. Internal to
 * this room.
 *
 *   Tensor ── array ── storage        bytes, shared by views; how often written
 *      │ └──── node ── inputs …       how it was made; NULL for a leaf
 *      └────── grad                   of a leaf, after backward
 */
#ifndef TENSOR_OBJECT_H
#define TENSOR_OBJECT_H

#include "array/array.h"   // defines: Array
#include "base/status.h"   // defines: CHECK_NOT_NULL
#include "tensor/node.h"   // defines: Node, NodeType, node_record
#include "tensor/tensor.h" // defines: Tensor
#include <stdatomic.h>

struct Tensor {
    atomic_long n_owners;
    uint64_t id;
    Array array;
    bool requires_grad; // of a leaf; with a node it always does
    Node *node;         // one count; NULL: a leaf
    int output;         // which of the node's outputs it is
    bool is_view;       // made by an op that shares memory, with history
    long view_writes;   // writes when the view was made
    Tensor *grad;       // one count, or NULL
    Tensor *incoming;   // during backward: what arrived for this leaf so far
};

/* A new tensor over an array, in the current scope. Takes over the array's
 * count, also when it fails.
 * errors  ERR_MEMORY; NULL */
Tensor *tensor_wrap(Array *array);

/* The same, owned by the caller and by no scope. */
Tensor *tensor_wrap_unscoped(Array *array);

/* x.type(): "torch.cuda.FloatTensor". Lives forever. */
const char *tensor_type_name(const Tensor *x);

/* What an expression returns: `status` of the op that wrote `out`, then the
 * step of history. NULL after a failure. `out` is taken over.
 *
 *   Array out = {0};
 *   return finish(op_neg(&x->array, &out), &out,
 *                 &(Step){.type = &neg, .inputs = {x}, .n_inputs = 1});
 */
enum { STEP_MAX = 3 };
typedef struct Step {
    const NodeType *type;
    Tensor *inputs[STEP_MAX];
    int n_inputs;
    Tensor *saved[STEP_MAX];
    int n_saved;
    bool saves_result;   // the result is the last saved one
    const void *numbers; // constants: dims, sizes, exponents
    size_t n_bytes;
    const Tensor *base; // the result is a view of it
} Step;
Tensor *finish(Status status, Array *out, const Step *step);

/* A factor is saved for the gradient of the other one only: changed in place,
 * it then is in nobody's way. x, or NULL when `other` needs no gradient. */
static inline Tensor *saved_for(const Tensor *other, Tensor *x)
{
    return other->requires_grad || other->node != NULL ? x : NULL;
}
/* x was written in place. Refused before that, in PyTorch's words:
 * errors  ERR_RUNTIME "a leaf Variable that requires grad is being used in an
 *         in-place operation." */
Status in_place_allowed(const Tensor *x, Tensor *const *others, int n_others);
/* Counts the write and records the step; x's older history becomes its input.
 * Returns x, or NULL. */
Tensor *finish_in_place(Status status, Tensor *x, const Step *step);
/* One count of a step more, or less; NULL is fine. */
Node *node_retain(Node *node);
void node_release(Node *node);
/* How often x's bytes were written, through any of their views: so backward can
 * tell that a number it saved is no longer what it was. */
long tensor_writes(const Tensor *x);
void tensor_written(Tensor *x);

#endif

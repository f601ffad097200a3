/* Small words that backward functions share. Internal to this room.
 *
 * A backward function need not undo broadcasting, nor convert dtype or place:
 * the walk (tape.c) makes each gradient fit its input.
 */
#ifndef TENSOR_BACKWARD_H
#define TENSOR_BACKWARD_H

#include "tensor/node.h" // defines: Node

/* OK when a gradient was made, the pending failure when it was not. */
static inline Status made(const Tensor *gradient)
{
    return gradient != NULL ? OK : status_peek();
}

/* Each input's gradient is output 0's own: of sums, casts, copies. */
static inline Status pass_through(const Node *node, Tensor *const *grads_out,
                                  Tensor **grads_in)
{
    for (int i = 0; i < node_n_inputs(node); i++)
        if (node_needs(node, i))
            grads_in[i] = grads_out[0];
    return OK;
}

#endif

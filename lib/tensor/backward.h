/* Small words that backward functions share. Internal to this room.
 *
 * A backward function need not undo broadcasting, nor convert dtype or place:
 * the walk (tape.c) makes each gradient fit its input.
 */
#ifndef TENSOR_BACKWARD_H
#define TENSOR_BACKWARD_H

#include "tensor/create.h" // defines: tensor_zeros
#include "tensor/node.h"   // defines: Node

/* OK when a gradient was made, the pending failure when it was not. */
static inline Status made(const Tensor *gradient)
{
    return gradient != NULL ? OK : status_peek();
}

/* Zeros like input `i`: a gradient to be filled in, or that of an input whose
 * numbers did not matter. */
static inline Tensor *zeros_for(const Node *node, int i)
{
    return tensor_zeros(node_input_dtype(node, i), node_input_shape(node, i),
                        node_input_device(node, i));
}

/* What input 0 was before did not matter: its gradient is zero. */
static inline Status forget(const Node *node, Tensor *const *grads_out,
                            Tensor **grads_in)
{
    (void)grads_out;
    if (!node_needs(node, 0))
        return OK;
    return made(grads_in[0] = zeros_for(node, 0));
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

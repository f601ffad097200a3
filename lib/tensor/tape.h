/* How a tensor was made: the graph that backward walks.
 *
 * A differentiable op whose input requires a gradient records a Node; an edge
 * holds one count of each tensor it saved.
 * source  PyTorch 1.13, Autograd mechanics
 */
#ifndef TENSOR_TAPE_H
#define TENSOR_TAPE_H

#include "tensor/tensor.h" // defines: Tensor

API bool tensor_requires_grad(const Tensor *x);
/* errors  ERR_RUNTIME "Only Tensors of floating point and complex dtype can
 *         require gradients"; not a leaf */
API Status tensor_set_requires_grad(Tensor *x, bool requires_grad);
API bool tensor_is_leaf(const Tensor *x);
/* "AddmmBackward", or NULL for a leaf. Lives forever. */
API const char *tensor_grad_fn(const Tensor *x);
/* The gradient, or NULL. Lent by x. */
API Tensor *tensor_grad(const Tensor *x);
/* x's gradient becomes g (NULL: none). */
API Status tensor_set_grad(Tensor *x, Tensor *g);
/* x.data = y: x becomes y's bytes, dtype and place, and stays the same object
 * with the same gradient: so a module moves its parameters in place. */
API Status tensor_set_data(Tensor *x, Tensor *y);
/* Shares x's bytes, has no history. */
API Tensor *tensor_detach(Tensor *x);

/* From a scalar back to the leaves; gradients accumulate where parameters
 * live. errors  ERR_RUNTIME */
API Status tensor_backward(Tensor *loss);

/* The same from any tensor: `gradient` has its shape (NULL: 1, for a scalar).
 * With retain_graph the steps keep what they saved, and backward may be called
 * once more.
 * errors  ERR_RUNTIME "Mismatch in shape: grad_output[0] has a shape of …" */
API Status tensor_backward_with(Tensor *x, Tensor *gradient, bool retain_graph);

/* torch.no_grad(): nothing is recorded on this thread until the matching
 * leave. Returns the previous state for leave. */
API bool no_grad_enter(void);
API void no_grad_leave(bool previous);
API bool grad_enabled(void);

#endif

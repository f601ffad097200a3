/* Who keeps a tensor alive.
 *
 *   scope_open ── tensors made here hold one count each ── scope_close
 *
 * Scopes nest, one stack a thread. A loop opens one per step, so that the
 * step's tensors go when it closes; tensor_keep hands one to the outer scope.
 * (PyTorch leaves this to Python's reference counts.)
 */
#ifndef TENSOR_SCOPE_H
#define TENSOR_SCOPE_H

#include "tensor/tensor.h" // defines: Tensor

/* What is made from here on is this scope's. errors  ERR_MEMORY */
API Status scope_open(void);
/* Releases what the scope holds. Closing more than was opened is a bug and
 * stops the program with a sentence. */
API void scope_close(void);
/* Let x outlive this scope: its parent holds it too. Returns x,
 * which stays in its place. errors  ERR_MEMORY */
API Tensor *tensor_keep(Tensor *x);

/* Explicit counts, for containers (modules, optimisers); x stays in its place.
 * Neither can fail. */
API Tensor *tensor_retain(Tensor *x);
API void tensor_release(Tensor *x);

/* For other counted things (modules, optimisers): the current scope takes over
 * one count and calls release(object) when it closes. On failure the count is
 * still the caller's. errors  ERR_MEMORY */
API Status scope_hold(void *object, void (*release)(void *object));

/* What is left to do on this thread: for tests and probes.
 *
 * scope_depth   how many scopes are open
 * scope_holds   whether one of them, or the thread itself, holds this object
 */
API int scope_depth(void);
API bool scope_holds(const void *object);

/* How many tensors live in this process: for tests. */
API int64_t tensor_live_count(void);

#endif

/* Requiring gradients, and backward: from a scalar to the leaves.
 *
 * Steps are numbered as they are made, so a step's users all have higher
 * numbers: taking the highest number first, everything that a step must wait
 * for has run. What arrives for one output, or for one leaf, is added up in
 * the order of arrival.
 *
 * source  PyTorch 1.13, Autograd mechanics
 */
#include "tensor/tape.h"          // defines: tensor_backward, tensor_grad
#include "base/alloc.h"           // defines: mem_new, mem_resize, mem_free
#include "ops/copy.h"             // defines: op_to, op_cast
#include "ops/elementwise.h"      // defines: op_binary_into
#include "ops/reduce.h"           // defines: op_sum_to
#include "tensor/create.h"        // defines: tensor_ones
#include "tensor/functional.h"    // defines: tensor_add
#include "tensor/node_internal.h" // defines: struct Node, Edge
#include "tensor/scope.h"         // defines: scope_open, scope_close
#include <stdlib.h>

/* ---- requiring gradients ---------------------------------------------------
 */

static _Thread_local bool recording_is_off;

bool grad_enabled(void)
{
    return !recording_is_off;
}

bool no_grad_enter(void)
{
    bool previous = recording_is_off;
    recording_is_off = true;
    return previous;
}

void no_grad_leave(bool previous)
{
    recording_is_off = previous;
}

bool tensor_requires_grad(const Tensor *x)
{
    return CHECK_NOT_NULL(x) && (x->requires_grad || x->node != NULL);
}

Status tensor_set_requires_grad(Tensor *x, bool requires_grad)
{
    if (!CHECK_NOT_NULL(x))
        return status_peek();
    if (x->node != NULL && !requires_grad)
        return status_fail(
            ERR_RUNTIME,
            "you can only change requires_grad flags of leaf variables. If you "
            "want to use a computed variable in a subgraph that doesn't "
            "require differentiation use var_no_grad = var.detach().");
    if (requires_grad && !dtype_is_floating(x->array.dtype))
        return status_fail(ERR_RUNTIME, "Only Tensors of floating point and "
                                        "complex dtype can require gradients");
    x->requires_grad = requires_grad;
    return OK;
}

bool tensor_is_leaf(const Tensor *x)
{
    return CHECK_NOT_NULL(x) && x->node == NULL;
}

const char *tensor_grad_fn(const Tensor *x)
{
    if (!CHECK_NOT_NULL(x) || x->node == NULL)
        return NULL;
    return x->node->type->name;
}

Tensor *tensor_grad(const Tensor *x)
{
    return CHECK_NOT_NULL(x) ? x->grad : NULL;
}

Status tensor_set_grad(Tensor *x, Tensor *g)
{
    if (!CHECK_NOT_NULL(x))
        return status_peek();
    if (g != NULL) {
        if (g->array.dtype != x->array.dtype)
            return status_fail(ERR_RUNTIME,
                               "assigned grad has data of a different type");
        if (!device_equal(array_device(&g->array), array_device(&x->array)))
            return status_fail(
                ERR_RUNTIME,
                "assigned grad has data located on a different device");
        if (!shape_equal(g->array.shape, x->array.shape))
            return status_fail(ERR_RUNTIME,
                               "assigned grad has data of a different size");
        tensor_retain(g);
    }
    tensor_release(x->grad);
    x->grad = g;
    return OK;
}

/* ---- the walk
 * ----------------------------------------------------------------- */

typedef struct List {
    void **items;
    size_t n, room;
} List;

typedef struct Walk {
    List nodes;  // all that the loss was made by
    List leaves; // that something arrived for
} Walk;

static Status list_add(List *list, void *item)
{
    if (list->n == list->room) {
        size_t more = list->room == 0 ? 64 : list->room * 2;
        void **larger = mem_resize(list->items, more * sizeof *larger);
        if (larger == NULL)
            return ERR_MEMORY;
        list->items = larger;
        list->room = more;
    }
    list->items[list->n++] = item;
    return OK;
}

/* Every node from which the root can be reached, each once. The list is its own
 * queue: what it holds at `next` has inputs still to be looked at. */
static Status collect(List *nodes, Node *root)
{
    TRY(list_add(nodes, root));
    root->is_collected = true; // only what is listed is unmarked again
    for (size_t next = 0; next < nodes->n; next++) {
        const Node *node = nodes->items[next];
        for (int i = 0; i < node->n_inputs; i++) {
            Node *before = node->inputs[i].node;
            if (before == NULL || before->is_collected)
                continue;
            TRY(list_add(nodes, before));
            before->is_collected = true;
        }
    }
    return OK;
}

static int later_first(const void *a, const void *b)
{
    uint64_t first = (*(Node *const *)a)->number;
    uint64_t second = (*(Node *const *)b)->number;
    return (first < second) - (first > second);
}

/* The gradient with the shape, dtype and place of what it belongs to: summed
 * where the forward stretched, converted where it converted. */
static Tensor *fitted(Tensor *g, Shape shape, DType dtype, Device device)
{
    if (!shape_equal(g->array.shape, shape)) {
        Array out = {0};
        g = finish(op_sum_to(&g->array, shape, &out), &out, NULL);
    }
    if (g != NULL)
        g = tensor_cast(g, dtype);
    return g == NULL ? NULL : tensor_to(g, device);
}

/* *sum += g; *sum holds a count. */
static Status arrive(Tensor **sum, Tensor *g)
{
    if (*sum != NULL)
        g = tensor_add(*sum, g);
    if (g == NULL)
        return status_peek();
    tensor_retain(g);
    tensor_release(*sum);
    *sum = g;
    return OK;
}

static Status send(Walk *walk, const Edge *edge, Tensor *g)
{
    if (edge->node != NULL) {
        g = fitted(g, edge->shape, edge->dtype, edge->device);
        return g == NULL ? status_peek()
                         : arrive(&edge->node->incoming[edge->output], g);
    }
    Tensor *leaf = edge->leaf;
    g = fitted(g, leaf->array.shape, leaf->array.dtype,
               array_device(&leaf->array));
    if (g == NULL)
        return status_peek();
    if (leaf->incoming == NULL)
        TRY(list_add(&walk->leaves, leaf));
    return arrive(&leaf->incoming, g);
}

static Status run_inside(Walk *walk, Node *node, Tensor **grads_in)
{
    TRY(node_check_saved(node));
    TRY(node->type->backward(node, node->incoming, grads_in));
    for (int i = 0; i < node->n_inputs; i++)
        if (grads_in[i] != NULL && node_needs(node, i))
            TRY(send(walk, &node->inputs[i], grads_in[i]));
    return OK;
}

static bool anything_arrived(const Node *node)
{
    for (int i = 0; i < node->n_outputs; i++)
        if (node->incoming[i] != NULL)
            return true;
    return false;
}

static Status run(Walk *walk, Node *node)
{
    if (!anything_arrived(node))
        return OK;
    Tensor **grads_in =
        mem_new((size_t)(node->n_inputs + 1) * sizeof *grads_in);
    if (grads_in == NULL)
        return ERR_MEMORY;
    Status status = scope_open();
    if (status == OK) {
        status = run_inside(walk, node, grads_in);
        scope_close();
    }
    mem_free(grads_in);
    return status;
}

static void clear_incoming(Node *node)
{
    for (int i = 0; i < node->n_outputs; i++) {
        tensor_release(node->incoming[i]);
        node->incoming[i] = NULL;
    }
}

/* ---- the leaves
 * -------------------------------------------------------------- */

/* Nobody else sees these bytes, and they are all of their storage: the leaf may
 * take the tensor as it is. */
static bool is_alone(Tensor *g)
{
    Array *a = &g->array;
    return atomic_load(&g->n_owners) == 1 && array_is_contiguous(a) &&
           !storage_is_shared(a->storage) &&
           storage_bytes(a->storage) == array_bytes(a);
}

/* What arrived becomes the leaf's gradient, or is added to it in place, so that
 * who holds the gradient sees it grow. */
static Status settle(Tensor *leaf)
{
    Tensor *g = leaf->incoming;
    if (leaf->grad != NULL) {
        TRY(op_binary_into(BINARY_ADD, &leaf->grad->array, &g->array));
        tensor_written(leaf->grad);
    } else if (is_alone(g)) {
        leaf->grad = tensor_retain(g);
    } else {
        Array copy = {0};
        TRY(op_clone(&g->array, &copy));
        leaf->grad = tensor_wrap_unscoped(&copy);
        if (leaf->grad == NULL)
            return ERR_MEMORY;
    }
    return OK;
}

static Status settle_all(List *leaves, Status status)
{
    for (size_t i = 0; i < leaves->n; i++) {
        Tensor *leaf = leaves->items[i];
        if (status == OK)
            status = settle(leaf);
        tensor_release(leaf->incoming);
        leaf->incoming = NULL;
    }
    return status;
}

/* ---- backward
 * -------------------------------------------------------------------- */

static Status walk_from(Tensor *x, Tensor *gradient, bool retain_graph)
{
    Walk walk = {0};
    Status status = collect(&walk.nodes, x->node);
    if (status == OK) {
        qsort(walk.nodes.items, walk.nodes.n, sizeof *walk.nodes.items,
              later_first);
        status = arrive(&x->node->incoming[x->output], gradient);
    }
    for (size_t i = 0; i < walk.nodes.n; i++) {
        Node *node = walk.nodes.items[i];
        if (status == OK)
            status = run(&walk, node);
        clear_incoming(node);
        node->is_collected = false;
    }
    status = settle_all(&walk.leaves, status);
    for (size_t i = 0; i < walk.nodes.n && status == OK && !retain_graph; i++)
        node_forget(walk.nodes.items[i]);
    mem_free(walk.nodes.items);
    mem_free(walk.leaves.items);
    return status;
}

/* A leaf's own backward: what is given arrives at once. */
static Status settle_leaf(Tensor *x, Tensor *gradient)
{
    Walk walk = {0};
    Edge edge = {.leaf = x};
    Status status = settle_all(&walk.leaves, send(&walk, &edge, gradient));
    mem_free(walk.leaves.items);
    return status;
}

static Status check_gradient(const Tensor *x, const Tensor *gradient)
{
    if (!tensor_requires_grad(x))
        return status_fail(ERR_RUNTIME,
                           "element 0 of tensors does not require grad and "
                           "does not have a grad_fn");
    if (gradient == NULL && array_count(&x->array) != 1)
        return status_fail(
            ERR_RUNTIME,
            "grad can be implicitly created only for scalar outputs");
    if (gradient != NULL && !shape_equal(gradient->array.shape, x->array.shape))
        return status_fail(ERR_RUNTIME,
                           "Mismatch in shape: grad_output[0] has a shape of "
                           "%s and output[0] has a shape of %s.",
                           shape_str(gradient->array.shape).text,
                           shape_str(x->array.shape).text);
    return node_check_view(x);
}

Status tensor_backward_with(Tensor *x, Tensor *gradient, bool retain_graph)
{
    if (!CHECK_NOT_NULL(x))
        return status_peek();
    TRY(check_gradient(x, gradient));
    TRY(scope_open());
    bool previous = no_grad_enter();
    if (gradient == NULL)
        gradient = tensor_ones(x->array.dtype, x->array.shape,
                               array_device(&x->array));
    if (gradient != NULL)
        gradient = fitted(gradient, x->array.shape, x->array.dtype,
                          array_device(&x->array));
    Status status;
    if (gradient == NULL)
        status = status_peek();
    else if (x->node == NULL)
        status = settle_leaf(x, gradient);
    else
        status = walk_from(x, gradient, retain_graph);
    no_grad_leave(previous);
    scope_close();
    return status;
}

Status tensor_backward(Tensor *loss)
{
    if (!CHECK_NOT_NULL(loss))
        return status_peek();
    return tensor_backward_with(loss, NULL, false);
}

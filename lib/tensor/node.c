/* Steps of history: recorded, asked, freed. */
#include "tensor/node.h"          // defines: node_record, node_saved, …
#include "base/alloc.h"           // defines: mem_new, mem_free
#include "tensor/node_internal.h" // defines: struct Node, Edge, Saved
#include "tensor/scope.h"         // defines: tensor_retain, tensor_release
#include "tensor/tape.h"          // defines: grad_enabled
#include <stdio.h>
#include <string.h>

static atomic_uint_fast64_t next_number = 1;

/* ---- freed -------------------------------------------------------------- */

/* A long history is a long chain of counts; taken apart one by one, not each
 * from within the one before, which would run out of stack. */
static _Thread_local Node *dying;
static _Thread_local bool taking_apart;

void node_forget(Node *node)
{
    for (int i = 0; i < node->n_saved; i++) {
        tensor_release(node->saved[i].tensor);
        node->saved[i].tensor = NULL;
    }
    node->freed = true;
}

static void take_apart(Node *node)
{
    for (int i = 0; i < node->n_inputs && node->inputs != NULL; i++) {
        node_release(node->inputs[i].node);
        tensor_release(node->inputs[i].leaf);
    }
    if (node->saved != NULL)
        node_forget(node);
    mem_free(node->inputs);
    mem_free(node->saved);
    mem_free(node->constants);
    mem_free(node->incoming);
    mem_free(node);
}

void node_release(Node *node)
{
    if (node == NULL || atomic_fetch_sub(&node->n_owners, 1) > 1)
        return;
    node->next_dying = dying;
    dying = node;
    if (taking_apart)
        return; // whoever began goes on
    taking_apart = true;
    while (dying != NULL) {
        Node *first = dying;
        dying = first->next_dying;
        take_apart(first);
    }
    taking_apart = false;
}

Node *node_retain(Node *node)
{
    if (node != NULL)
        atomic_fetch_add(&node->n_owners, 1);
    return node;
}

/* ---- recorded ------------------------------------------------------------ */

bool node_wanted(Tensor *const *inputs, int n_inputs)
{
    if (!grad_enabled())
        return false;
    for (int i = 0; i < n_inputs; i++)
        if (inputs[i] != NULL && tensor_requires_grad(inputs[i]))
            return true;
    return false;
}

Status node_check_view(const Tensor *x)
{
    if (!x->is_view || tensor_writes(x) == x->view_writes)
        return OK;
    if (x->node == NULL &&
        storage_marked_write(x->array.storage) <= x->view_writes)
        return OK; // numbers without a history took the place of such
    return status_fail(
        ERR_RUNTIME,
        "a view was used after its memory had been changed in place; its "
        "gradient would be wrong. Take the view again, or clone() it before "
        "the change.");
}

static Status add_edge(Edge *edge, Tensor *input)
{
    if (input == NULL)
        return OK;
    edge->shape = input->array.shape;
    edge->dtype = input->array.dtype;
    edge->device = array_device(&input->array);
    if (input->node != NULL) {
        edge->node = node_retain(input->node);
        edge->output = input->output;
    } else if (input->requires_grad) {
        edge->leaf = tensor_retain(input);
    }
    return OK;
}

/* The node would hold its own output, and that the node: neither would ever
 * go. So a saved output is held as another tensor over the same array. */
static Tensor *alias(const Tensor *x)
{
    Array array = array_share(&x->array);
    return tensor_wrap_unscoped(&array);
}

static Status add_saved(Saved *saved, Tensor *x, Tensor *const *outputs,
                        int n_outputs)
{
    if (x == NULL)
        return OK;
    for (int i = 0; i < n_outputs; i++)
        saved->is_result |= outputs[i] == x;
    saved->tensor = saved->is_result ? alias(x) : tensor_retain(x);
    if (saved->tensor == NULL)
        return ERR_MEMORY;
    saved->writes = tensor_writes(x);
    return OK;
}

static Node *new_node(const NodeType *type, int n_inputs, int n_outputs,
                      int n_saved, size_t n_bytes)
{
    Node *node = mem_new(sizeof *node);
    if (node == NULL)
        return NULL;
    node->type = type;
    node->number = atomic_fetch_add(&next_number, 1);
    atomic_init(&node->n_owners, 1);
    node->n_inputs = n_inputs;
    node->n_outputs = n_outputs;
    node->n_saved = n_saved;
    node->inputs = mem_new((size_t)(n_inputs + 1) * sizeof *node->inputs);
    node->saved = mem_new((size_t)(n_saved + 1) * sizeof *node->saved);
    node->constants = mem_new(n_bytes + 1);
    node->incoming = mem_new((size_t)(n_outputs + 1) * sizeof(Tensor *));
    if (node->inputs == NULL || node->saved == NULL ||
        node->constants == NULL || node->incoming == NULL) {
        node->n_saved = node->saved == NULL ? 0 : n_saved;
        node_release(node);
        return NULL;
    }
    return node;
}

static Status fill_node(Node *node, Tensor *const *inputs,
                        Tensor *const *outputs, Tensor *const *saved)
{
    for (int i = 0; i < node->n_inputs; i++)
        TRY(add_edge(&node->inputs[i], inputs[i]));
    for (int i = 0; i < node->n_saved; i++)
        TRY(add_saved(&node->saved[i], saved[i], outputs, node->n_outputs));
    return OK;
}

Status node_record(const NodeType *type, Tensor *const *inputs, int n_inputs,
                   Tensor *const *outputs, int n_outputs, Tensor *const *saved,
                   int n_saved, const void *constants, size_t n_bytes)
{
    for (int i = 0; i < n_inputs && grad_enabled(); i++)
        if (inputs[i] != NULL)
            TRY(node_check_view(inputs[i]));
    if (!node_wanted(inputs, n_inputs))
        return OK;
    Node *node = new_node(type, n_inputs, n_outputs, n_saved, n_bytes);
    if (node == NULL)
        return ERR_MEMORY;
    if (n_bytes > 0)
        memcpy(node->constants, constants, n_bytes);
    Status status = fill_node(node, inputs, outputs, saved);
    for (int i = 0; i < n_outputs && status == OK; i++) {
        if (outputs[i] == NULL || !dtype_is_floating(outputs[i]->array.dtype))
            continue;
        node_release(outputs[i]->node); // of a tensor that changes in place
        outputs[i]->node = node_retain(node);
        outputs[i]->output = i;
    }
    node_release(node);
    return status;
}

/* ---- asked ----------------------------------------------------------------
 */

static Status was_changed(const Node *node, const Saved *saved)
{
    const Tensor *x = saved->tensor;
    char made_by[128] = "";
    if (saved->is_result)
        snprintf(made_by, sizeof made_by, ", which is output 0 of %s,",
                 node->type->name);
    else if (x->node != NULL)
        snprintf(made_by, sizeof made_by, ", which is output %d of %s,",
                 x->output, x->node->type->name);
    return status_fail(
        ERR_RUNTIME,
        "one of the variables needed for gradient computation has been "
        "modified by an inplace operation: [%s %s]%s is at version %ld; "
        "expected version %ld instead. Hint: enable anomaly detection to find "
        "the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True).",
        tensor_type_name(x), shape_list(x->array.shape).text, made_by,
        tensor_writes(x), saved->writes);
}

Status node_check_saved(const Node *node)
{
    if (node->freed && node->n_saved > 0)
        return status_fail(
            ERR_RUNTIME,
            "Trying to backward through the graph a second time (or directly "
            "access saved tensors after they have already been freed). Saved "
            "intermediate values of the graph are freed when you call "
            ".backward() or autograd.grad(). Specify retain_graph=True if you "
            "need to backward through the graph a second time or if you need "
            "to access saved tensors after calling backward.");
    for (int i = 0; i < node->n_saved; i++) {
        const Saved *saved = &node->saved[i];
        if (saved->tensor != NULL &&
            tensor_writes(saved->tensor) != saved->writes)
            return was_changed(node, saved);
    }
    return OK;
}

const void *node_constants(const Node *node)
{
    return node->constants;
}

Tensor *node_saved(const Node *node, int index)
{
    return node->saved[index].tensor;
}

bool node_needs(const Node *node, int input)
{
    const Edge *edge = &node->inputs[input];
    return edge->node != NULL || edge->leaf != NULL;
}

int node_n_inputs(const Node *node)
{
    return node->n_inputs;
}

int node_n_outputs(const Node *node)
{
    return node->n_outputs;
}

Shape node_input_shape(const Node *node, int input)
{
    return node->inputs[input].shape;
}

DType node_input_dtype(const Node *node, int input)
{
    return node->inputs[input].dtype;
}

Device node_input_device(const Node *node, int input)
{
    return node->inputs[input].device;
}

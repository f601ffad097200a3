/* Several tensors into one, and one into several: cat, stack, chunk; and rows
 * picked by index. */
#include "base/alloc.h"        // defines: mem_new, mem_free
#include "ops/copy.h"          // defines: op_cat, op_index_select
#include "ops/index_add.h"     // defines: op_index_add_into
#include "tensor/backward.h"   // defines: made, zeros_for
#include "tensor/functional.h" // defines: tensor_cat, tensor_chunk, …
#include "tensor/object.h"     // defines: struct Tensor, tensor_wrap

/* ---- one behind another
 * ------------------------------------------------------- */

/* Each input gets its own piece of the gradient. */
static Status cat_backward(const Node *node, Tensor *const *grads_out,
                           Tensor **grads_in)
{
    int dim = *(const int *)node_constants(node);
    int64_t start = 0;
    for (int i = 0; i < node_n_inputs(node); i++) {
        Shape shape = node_input_shape(node, i);
        int64_t end = start + shape.dims[dim];
        if (node_needs(node, i)) // an empty list has a shape of its own
            TRY(made(grads_in[i] =
                         shape_count(shape) == 0
                             ? zeros_for(node, i)
                             : tensor_slice(grads_out[0], dim, start, end)));
        start = end;
    }
    return OK;
}

static Status arrays_of(Tensor *const *tensors, int n, const Array ***out)
{
    const Array **arrays = mem_new((size_t)(n + 1) * sizeof *arrays);
    if (arrays == NULL)
        return ERR_MEMORY;
    for (int i = 0; i < n; i++)
        arrays[i] = &tensors[i]->array;
    *out = arrays;
    return OK;
}

static bool all_there(const char *function, Tensor *const *tensors, int n)
{
    if (!CHECK_NOT_NULL_OF(function, tensors))
        return false;
    for (int i = 0; i < n; i++)
        if (!CHECK_NOT_NULL_OF(function, tensors[i]))
            return false;
    return true;
}

/* Result and history of an op with any number of inputs. */
static Tensor *finish_many(Array *out, const NodeType *type,
                           Tensor *const *inputs, int n, int dim)
{
    Tensor *result = tensor_wrap(out);
    if (result == NULL || node_record(type, inputs, n, &result, 1, NULL, 0,
                                      &dim, sizeof dim) != OK)
        return NULL;
    return result;
}

Tensor *tensor_cat(Tensor *const *tensors, int n, int dim)
{
    static const NodeType type = {"CatBackward", cat_backward};
    const Array **arrays;
    Array out = {0};
    if (!all_there(__func__, tensors, n))
        return NULL;
    if (n <= 0) {
        status_fail(ERR_RUNTIME,
                    "torch.cat(): expected a non-empty list of Tensors");
        return NULL;
    }
    if (arrays_of(tensors, n, &arrays) != OK)
        return NULL;
    Status status = op_cat(arrays, n, dim, &out);
    mem_free(arrays);
    if (status != OK)
        return NULL;
    if (dim < 0)
        dim += out.shape.n_dims;
    return finish_many(&out, &type, tensors, n, dim);
}

/* ---- one beside another
 * --------------------------------------------------------- */

static Status stack_backward(const Node *node, Tensor *const *grads_out,
                             Tensor **grads_in)
{
    int dim = *(const int *)node_constants(node);
    for (int i = 0; i < node_n_inputs(node); i++)
        if (node_needs(node, i))
            TRY(made(grads_in[i] = tensor_select(grads_out[0], dim, i)));
    return OK;
}

static Status check_stack(Tensor *const *tensors, int n)
{
    if (n <= 0)
        return status_fail(ERR_RUNTIME, "stack expects a non-empty TensorList");
    Shape first = tensors[0]->array.shape;
    for (int i = 1; i < n; i++)
        if (!shape_equal(first, tensors[i]->array.shape))
            return status_fail(
                ERR_RUNTIME,
                "stack expects each tensor to be equal size, but got %s at "
                "entry 0 and %s at entry %d",
                shape_list(first).text,
                shape_list(tensors[i]->array.shape).text, i);
    return OK;
}

/* Views of the inputs with one dim more, one behind another along it. */
static Status stack_arrays(Tensor *const *tensors, int n, int dim, Array *out)
{
    Array *views = mem_new((size_t)n * sizeof *views);
    const Array **arrays = mem_new((size_t)n * sizeof *arrays);
    Status status = views == NULL || arrays == NULL ? ERR_MEMORY : OK;
    for (int i = 0; i < n && status == OK; i++) {
        status = array_unsqueeze(&tensors[i]->array, dim, &views[i]);
        arrays[i] = &views[i];
    }
    if (status == OK)
        status = op_cat(arrays, n, dim, out);
    for (int i = 0; i < n && views != NULL; i++)
        array_release(&views[i]);
    mem_free(views);
    mem_free(arrays);
    return status;
}

Tensor *tensor_stack(Tensor *const *tensors, int n, int dim)
{
    static const NodeType type = {"StackBackward", stack_backward};
    Array out = {0};
    if (!all_there(__func__, tensors, n) || check_stack(tensors, n) != OK ||
        stack_arrays(tensors, n, dim, &out) != OK)
        return NULL;
    if (dim < 0)
        dim += out.shape.n_dims;
    return finish_many(&out, &type, tensors, n, dim);
}

/* ---- into pieces
 * ----------------------------------------------------------------- */

typedef struct Cut {
    int dim, n;
    int64_t piece; // size along dim of all pieces but the last
} Cut;

/* The pieces' gradients one behind another, zeros where none arrived. */
static Status chunk_backward(const Node *node, Tensor *const *grads_out,
                             Tensor **grads_in)
{
    const Cut *cut = node_constants(node);
    Tensor *all = zeros_for(node, 0);
    TRY(made(all));
    for (int i = 0; i < cut->n; i++) {
        if (grads_out[i] == NULL)
            continue;
        Tensor *place =
            tensor_slice(all, cut->dim, i * cut->piece, (i + 1) * cut->piece);
        TRY(made(place == NULL ? NULL : tensor_copy_(place, grads_out[i])));
    }
    grads_in[0] = all;
    return OK;
}

static int cut_up(Tensor *x, const Cut *cut, Tensor **out)
{
    static const NodeType type = {"SplitBackward", chunk_backward};
    for (int i = 0; i < cut->n; i++) {
        Array piece = {0};
        if (array_slice(&x->array, cut->dim, i * cut->piece,
                        (i + 1) * cut->piece, &piece) != OK)
            return -1;
        out[i] = tensor_wrap(&piece);
        if (out[i] == NULL)
            return -1;
    }
    if (node_record(&type, &x, 1, out, cut->n, NULL, 0, cut, sizeof *cut) != OK)
        return -1;
    for (int i = 0; i < cut->n; i++) {
        out[i]->is_view = true;
        out[i]->view_writes = tensor_writes(x);
    }
    return cut->n;
}

int tensor_chunk(Tensor *x, int n, int dim, Tensor **out)
{
    Cut cut;
    if (!CHECK_NOT_NULL(x) || !CHECK_NOT_NULL(out))
        return -1;
    if (x->array.shape.n_dims == 0) {
        status_fail(ERR_RUNTIME,
                    "chunk expects at least a 1-dimensional tensor");
        return -1;
    }
    if (n <= 0) {
        status_fail(ERR_RUNTIME,
                    "chunk expects `chunks` to be greater than 0, got: %d", n);
        return -1;
    }
    if (shape_dim(dim, x->array.shape.n_dims, &cut.dim) != OK)
        return -1;
    int64_t size = x->array.shape.dims[cut.dim];
    cut.piece = (size + n - 1) / n;
    // Nothing to cut: as many empty pieces as were asked for.
    cut.n = cut.piece == 0 ? n : (int)((size + cut.piece - 1) / cut.piece);
    return cut_up(x, &cut, out);
}

/* ---- by index
 * ---------------------------------------------------------------------- */

/* Each picked slice's gradient is added where the slice came from. */
static Status index_backward(const Node *node, Tensor *const *grads_out,
                             Tensor **grads_in)
{
    int dim = *(const int *)node_constants(node);
    Tensor *all = zeros_for(node, 0);
    TRY(made(all));
    TRY(op_index_add_into(&all->array, dim, &node_saved(node, 0)->array,
                          &grads_out[0]->array));
    grads_in[0] = all;
    return OK;
}

Tensor *tensor_index_select(Tensor *x, int dim, Tensor *index)
{
    static const NodeType type = {"IndexSelectBackward", index_backward};
    Array out = {0};
    if (!CHECK_NOT_NULL(x) || !CHECK_NOT_NULL(index))
        return NULL;
    return finish(op_index_select(&x->array, dim, &index->array, &out), &out,
                  &(Step){.type = &type,
                          .inputs = {x},
                          .n_inputs = 1,
                          .saved = {index},
                          .n_saved = 1,
                          .numbers = &dim,
                          .n_bytes = sizeof dim});
}

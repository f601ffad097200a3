/* Cut a batch up and put outputs together: tensors, and trees of them. */
#include "parallel/scatter_gather.h"

#include "base/alloc.h"        // defines: mem_new, mem_free
#include "base/status.h"       // defines: status_fail
#include "base/warn.h"         // defines: warn
#include "tensor/functional.h" // defines: tensor_slice, tensor_cat

int chunk_sizes(int64_t size, int n, int64_t *sizes)
{
    if (n < 1)
        return 0;
    int64_t piece = (size + n - 1) / n;
    if (piece == 0) { // nothing to cut: n empty pieces, as torch.chunk gives
        for (int i = 0; i < n; i++)
            sizes[i] = 0;
        return n;
    }
    int count = 0;
    for (int64_t left = size; left > 0; left -= piece)
        sizes[count++] = left < piece ? left : piece;
    return count;
}

int scatter(Tensor *x, const int *device_ids, int n, int dim, Tensor **out)
{
    if (!CHECK_NOT_NULL(x))
        return -1;
    int count = tensor_chunk(x, n, dim, out);
    for (int i = 0; i < count; i++) {
        out[i] = tensor_to(out[i], device_cuda(device_ids[i]));
        if (!out[i])
            return -1;
    }
    return count;
}

/* One number each: they are stood side by side instead. */
static bool all_scalars(Tensor *const *pieces, int n)
{
    for (int i = 0; i < n; i++)
        if (tensor_dim(pieces[i]) != 0)
            return false;
    return true;
}

static Status check_pieces(Tensor *const *pieces, int n, int dim)
{
    Shape first = tensor_shape(pieces[0]);
    if (dim < 0)
        dim += first.n_dims;
    for (int i = 0; i < n; i++) {
        if (!tensor_is_cuda(pieces[i]))
            return status_fail(ERR_ASSERTION, "Gather function not implemented "
                                              "for CPU tensors");
        Shape expected = first, got = tensor_shape(pieces[i]);
        if (got.n_dims == first.n_dims && dim >= 0 && dim < first.n_dims)
            expected.dims[dim] = got.dims[dim];
        if (!shape_equal(got, expected))
            return status_fail(ERR_RUNTIME,
                               "Input tensor at index %d has invalid shape %s, "
                               "but expected %s",
                               i, shape_list(got).text,
                               shape_list(expected).text);
    }
    return OK;
}

Tensor *gather(Tensor *const *pieces, int n, Device device, int dim)
{
    if (n < 1) {
        status_fail(ERR_RUNTIME, "Expected at least one tensor to gather from");
        return NULL;
    }
    for (int i = 0; i < n; i++)
        if (!CHECK_NOT_NULL(pieces[i]))
            return NULL;
    bool scalars = dim == 0 && all_scalars(pieces, n);
    if (scalars)
        warn("Was asked to gather along dimension 0, but all input tensors "
             "were scalars; will instead unsqueeze and return a vector.");
    if (check_pieces(pieces, n, dim) != OK)
        return NULL;
    Tensor **here = mem_new((size_t)n * sizeof *here);
    if (!here)
        return NULL;
    for (int i = 0; i < n; i++) {
        here[i] = scalars ? tensor_unsqueeze(pieces[i], 0) : pieces[i];
        here[i] = tensor_to(here[i], device);
    }
    Tensor *whole = status_peek() == OK ? tensor_cat(here, n, dim) : NULL;
    mem_free(here);
    return whole;
}

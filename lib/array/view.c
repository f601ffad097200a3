/* Views: other windows on the same storage. Nothing is copied. */
#include "array/array.h" // defines: Array, shape_dim, array_view

Status array_transpose(const Array *a, int dim0, int dim1, Array *out)
{
    TRY(shape_dim(dim0, a->shape.n_dims, &dim0));
    TRY(shape_dim(dim1, a->shape.n_dims, &dim1));
    Array view = array_share(a);
    if (a->shape.n_dims > 0) {
        view.shape.dims[dim0] = a->shape.dims[dim1];
        view.shape.dims[dim1] = a->shape.dims[dim0];
        view.strides[dim0] = a->strides[dim1];
        view.strides[dim1] = a->strides[dim0];
    }
    *out = view;
    return OK;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

Status array_slice(const Array *a, int dim, int64_t start, int64_t end,
                   Array *out)
{
    if (a->shape.n_dims == 0)
        return status_fail(ERR_INDEX,
                           "slice() cannot be applied to a 0-dim tensor.");
    TRY(shape_dim(dim, a->shape.n_dims, &dim));
    int64_t size = a->shape.dims[dim];
    start = clamp(start < 0 ? start + size : start, 0, size);
    end = clamp(end < 0 ? end + size : end, start, size);
    Array view = array_share(a);
    view.offset += start * a->strides[dim];
    view.shape.dims[dim] = end - start;
    *out = view;
    return OK;
}

static void drop_dim(Array *view, int dim)
{
    for (int i = dim; i + 1 < view->shape.n_dims; i++) {
        view->shape.dims[i] = view->shape.dims[i + 1];
        view->strides[i] = view->strides[i + 1];
    }
    view->shape.n_dims--;
    view->shape.dims[view->shape.n_dims] = 0;
    view->strides[view->shape.n_dims] = 0;
}

Status array_select(const Array *a, int dim, int64_t index, Array *out)
{
    if (a->shape.n_dims == 0)
        return status_fail(ERR_INDEX,
                           "select() cannot be applied to a 0-dim tensor.");
    TRY(shape_dim(dim, a->shape.n_dims, &dim));
    int64_t size = a->shape.dims[dim];
    if (index < -size || index >= size)
        return status_fail(
            ERR_INDEX,
            "index %lld is out of bounds for dimension %d with size %lld",
            (long long)index, dim, (long long)size);
    Array view = array_share(a);
    view.offset += (index < 0 ? index + size : index) * a->strides[dim];
    drop_dim(&view, dim);
    *out = view;
    return OK;
}

Status array_unsqueeze(const Array *a, int dim, Array *out)
{
    int n = a->shape.n_dims;
    TRY(shape_dim(dim, n + 1, &dim));
    if (n == MAX_DIMS)
        return status_fail(ERR_RUNTIME,
                           "an array has at most %d dimensions here", MAX_DIMS);
    Array view = array_share(a);
    for (int i = n; i > dim; i--) {
        view.shape.dims[i] = a->shape.dims[i - 1];
        view.strides[i] = a->strides[i - 1];
    }
    view.shape.n_dims = n + 1;
    view.shape.dims[dim] = 1;
    view.strides[dim] = dim < n ? a->shape.dims[dim] * a->strides[dim] : 1;
    *out = view;
    return OK;
}

Status array_squeeze(const Array *a, int dim, Array *out)
{
    TRY(shape_dim(dim, a->shape.n_dims, &dim));
    Array view = array_share(a);
    if (a->shape.n_dims > 0 && a->shape.dims[dim] == 1)
        drop_dim(&view, dim);
    *out = view;
    return OK;
}

Status array_expand(const Array *a, Shape shape, Array *out)
{
    int extra = shape.n_dims - a->shape.n_dims;
    if (extra < 0)
        return status_fail(
            ERR_RUNTIME,
            "expand(torch.%sTensor{%s}, size=%s): the number of sizes provided "
            "(%d) must be "
            "greater or equal to the number of dimensions in the tensor (%d)",
            dtype_scalar_name(a->dtype), shape_list(a->shape).text,
            shape_list(shape).text, shape.n_dims, a->shape.n_dims);
    Array view = *a;
    view.shape = shape;
    for (int i = shape.n_dims - 1; i >= 0; i--) {
        int64_t size = i < extra ? 1 : a->shape.dims[i - extra];
        view.strides[i] = i < extra ? 0 : a->strides[i - extra];
        if (shape.dims[i] == -1 && i < extra)
            return status_fail(ERR_RUNTIME,
                               "The expanded size of the tensor (-1) isn't "
                               "allowed in a leading, non-existing dimension "
                               "%d",
                               i);
        if (shape.dims[i] == -1)
            view.shape.dims[i] = size;
        else if (shape.dims[i] != size && size == 1 && shape.dims[i] >= 0)
            view.strides[i] = 0;
        else if (shape.dims[i] != size)
            return status_fail(
                ERR_RUNTIME,
                "The expanded size of the tensor (%lld) must match the "
                "existing size (%lld) at non-singleton dimension %d.  Target "
                "sizes: %s.  Tensor sizes: %s",
                (long long)shape.dims[i], (long long)size, i,
                shape_list(shape).text, shape_list(a->shape).text);
    }
    *out = array_share(&view);
    return OK;
}

/* The shape meant, with its -1 filled in, or PyTorch's sentence. */
static Status infer_shape(Shape asked, int64_t count, Shape *out)
{
    int open = -1;
    int64_t known = 1;
    for (int i = 0; i < asked.n_dims; i++) {
        if (asked.dims[i] == -1) {
            if (open >= 0)
                return status_fail(ERR_RUNTIME,
                                   "only one dimension can be inferred");
            open = i;
        } else if (asked.dims[i] < 0) {
            return status_fail(ERR_RUNTIME, "invalid shape dimension %lld",
                               (long long)asked.dims[i]);
        } else if (asked.dims[i] > 0 && known > INT64_MAX / asked.dims[i]) {
            return status_fail(ERR_RUNTIME,
                               "numel: integer multiplication overflow");
        } else {
            known *= asked.dims[i];
        }
    }
    if (open >= 0 && known == 0 && count == 0)
        return status_fail(ERR_RUNTIME,
                           "cannot reshape tensor of 0 elements into shape %s "
                           "because the unspecified dimension size -1 can be "
                           "any value and is ambiguous",
                           shape_list(asked).text);
    bool fits = open < 0 ? known == count : known > 0 && count % known == 0;
    if (!fits)
        return status_fail(ERR_RUNTIME,
                           "shape '%s' is invalid for input of size %lld",
                           shape_list(asked).text, (long long)count);
    *out = asked;
    if (open >= 0)
        out->dims[open] = count / known;
    return OK;
}

/* Give the new dims strides, from the last: a run of old dims that lie without
 * gaps is cut into the new dims that hold as many numbers. */
static bool fit_strides(const Array *a, Array *view)
{
    int to = view->shape.n_dims - 1;
    int64_t run_stride = 1; // of the innermost number of the run
    int64_t run_count = 1;  // numbers in the run so far
    for (int from = a->shape.n_dims - 1; from >= 0; from--) {
        if (run_count == 1)
            run_stride = a->strides[from];
        run_count *= a->shape.dims[from];
        bool ends =
            from == 0 || (a->shape.dims[from - 1] != 1 &&
                          a->strides[from - 1] != run_count * run_stride);
        if (!ends)
            continue;
        int64_t cut = 1;
        while (to >= 0 && (cut < run_count || view->shape.dims[to] == 1)) {
            view->strides[to] = cut * run_stride;
            cut *= view->shape.dims[to];
            to--;
        }
        if (cut != run_count)
            return false;
        run_count = 1;
    }
    return to < 0;
}

Status array_view(const Array *a, Shape shape, bool *possible, Array *out)
{
    int64_t count = array_count(a);
    Array view = *a;
    TRY(infer_shape(shape, count, &view.shape));
    if (array_is_contiguous(a)) {
        int64_t stride = 1;
        for (int i = view.shape.n_dims - 1; i >= 0; i--) {
            view.strides[i] = stride;
            stride *= view.shape.dims[i] > 0 ? view.shape.dims[i] : 1;
        }
    } else if (!fit_strides(a, &view)) {
        *possible = false;
        return OK;
    }
    *possible = true;
    *out = array_share(&view);
    return OK;
}

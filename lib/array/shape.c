/* How many numbers there are along each dimension. */
#include "array/shape.h" // defines: Shape, shape_of, shape_str
#include <stdio.h>

Shape shape_of(int n_dims, const int64_t *dims)
{
    Shape shape = {.n_dims = n_dims < MAX_DIMS ? n_dims : MAX_DIMS};
    for (int i = 0; i < shape.n_dims; i++)
        shape.dims[i] = dims[i];
    return shape;
}

Shape shape_scalar(void)
{
    return (Shape){0};
}

int64_t shape_count(Shape shape)
{
    int64_t count = 1;
    for (int i = 0; i < shape.n_dims; i++)
        if (shape.dims[i] == 0) // first: the others' product may not fit
            return 0;
    for (int i = 0; i < shape.n_dims; i++)
        count *= shape.dims[i];
    return count;
}

bool shape_equal(Shape a, Shape b)
{
    if (a.n_dims != b.n_dims)
        return false;
    for (int i = 0; i < a.n_dims; i++)
        if (a.dims[i] != b.dims[i])
            return false;
    return true;
}

Status shape_dim(int dim, int n_dims, int *out)
{
    int n = n_dims > 0 ? n_dims : 1;
    if (dim < -n || dim >= n)
        return status_fail(ERR_INDEX,
                           "Dimension out of range (expected to be in range of "
                           "[%d, %d], but got %d)",
                           -n, n - 1, dim);
    *out = dim < 0 ? dim + n : dim;
    return OK;
}

ShapeText shape_list(Shape shape)
{
    ShapeText out;
    size_t n = (size_t)snprintf(out.text, sizeof out.text, "[");
    for (int i = 0; i < shape.n_dims; i++)
        n += (size_t)snprintf(out.text + n, sizeof out.text - n, "%s%lld",
                              i ? ", " : "", (long long)shape.dims[i]);
    snprintf(out.text + n, sizeof out.text - n, "]");
    return out;
}

ShapeText shape_str(Shape shape)
{
    // Eight dims of twenty digits would not fit; shapes of real arrays do.
    ShapeText list = shape_list(shape);
    ShapeText out;
    snprintf(out.text, sizeof out.text, "torch.Size(%.178s)", list.text);
    return out;
}

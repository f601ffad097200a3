/* What every op asks of its inputs, and the sentence when they are refused. */
#include "ops/check.h" // defines: check_devices, check_broadcast

static Status refuse_devices(Device expected, Device found)
{
    return status_fail(ERR_DEVICE, "expected device %s but got device %s",
                       device_str(expected).text, device_str(found).text);
}

Status check_devices(const Array *const *arrays, int n, Device *out)
{
    const Array *leader = arrays[0];
    for (int i = n - 1; i >= 0; i--)
        if (arrays[i]->shape.n_dims > 0)
            leader = arrays[i];
    Device expected = array_device(leader);
    // Without any dimensions the first GPU among them leads.
    if (leader->shape.n_dims == 0)
        for (int i = n - 1; i >= 0; i--)
            if (device_is_cuda(array_device(arrays[i])))
                expected = array_device(arrays[i]);
    for (int i = 0; i < n; i++) {
        Device found = array_device(arrays[i]);
        bool guest = arrays[i]->shape.n_dims == 0 && !device_is_cuda(found) &&
                     device_is_cuda(expected);
        if (!device_equal(found, expected) && !guest)
            return refuse_devices(expected, found);
    }
    *out = expected;
    return OK;
}

Status check_same_device(const Array *a, const Array *b)
{
    if (device_equal(array_device(a), array_device(b)))
        return OK;
    return refuse_devices(array_device(a), array_device(b));
}

Status check_broadcast(Shape a, Shape b, Shape *out)
{
    Shape shape = {.n_dims = a.n_dims > b.n_dims ? a.n_dims : b.n_dims};
    for (int i = shape.n_dims - 1; i >= 0; i--) {
        int from_a = i - (shape.n_dims - a.n_dims);
        int from_b = i - (shape.n_dims - b.n_dims);
        int64_t size_a = from_a < 0 ? 1 : a.dims[from_a];
        int64_t size_b = from_b < 0 ? 1 : b.dims[from_b];
        if (size_a != size_b && size_a != 1 && size_b != 1)
            return status_fail(
                ERR_RUNTIME,
                "The size of tensor a (%lld) must match the size of tensor b "
                "(%lld) at non-singleton dimension %d",
                (long long)size_a, (long long)size_b, i);
        shape.dims[i] = size_a == 1 ? size_b : size_a;
    }
    *out = shape;
    return OK;
}

Status check_broadcast_into(Shape to, Shape from)
{
    Shape shape;
    TRY(check_broadcast(to, from, &shape));
    if (shape_equal(shape, to))
        return OK;
    return status_fail(
        ERR_RUNTIME,
        "output with shape %s doesn't match the broadcast shape %s",
        shape_list(to).text, shape_list(shape).text);
}

/* The dtype of something that matters (`higher`) beside something that matters
 * only if its category is above. */
static DType combine(DType higher, DType lower)
{
    if (dtype_is_floating(higher))
        return higher;
    if (higher == BOOL || dtype_is_floating(lower))
        return dtype_promote(higher, lower);
    return higher;
}

DType check_result_dtype(const Array *a, const Array *b)
{
    bool a_matters = a->shape.n_dims > 0;
    bool b_matters = b->shape.n_dims > 0;
    if (a_matters == b_matters)
        return dtype_promote(a->dtype, b->dtype);
    return a_matters ? combine(a->dtype, b->dtype)
                     : combine(b->dtype, a->dtype);
}

DType check_result_dtype_scalar(const Array *a, Scalar b)
{
    DType alone = b.kind == SCALAR_REAL  ? FLOAT32
                  : b.kind == SCALAR_INT ? INT64
                                         : BOOL;
    return combine(a->dtype, alone);
}

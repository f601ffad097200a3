/* Numbers with a shape, a dtype and a place. */
#include "array/array.h" // defines: Array, array_new, array_release

static void set_c_order(Array *a)
{
    int64_t stride = 1;
    for (int i = a->shape.n_dims - 1; i >= 0; i--) {
        a->strides[i] = stride;
        // Wraps in an array of no numbers with huge dims, where none is used.
        uint64_t size = (uint64_t)(a->shape.dims[i] > 0 ? a->shape.dims[i] : 1);
        stride = (int64_t)((uint64_t)stride * size);
    }
}

/* The bytes that a new array needs; an overflow is more than any machine has.
 */
static Status needed_bytes(DType dtype, const Shape *shape, size_t *out)
{
    size_t n_bytes = dtype_bytes(dtype);
    bool overflow = false;
    bool empty = false;
    for (int i = 0; i < shape->n_dims; i++) {
        if (shape->dims[i] < 0)
            return status_fail(
                ERR_RUNTIME,
                "Trying to create tensor with negative dimension %lld: %s",
                (long long)shape->dims[i], shape_list(*shape).text);
        empty = empty || shape->dims[i] == 0;
        bool big = ((size_t)shape->dims[i] | n_bytes) > UINT32_MAX;
        if (!empty && big &&
            (size_t)shape->dims[i] > (size_t)INT64_MAX / n_bytes)
            overflow = true;
        else if (!overflow)
            n_bytes *= empty ? 0 : (size_t)shape->dims[i];
    }
    if (overflow && !empty)
        return status_fail(ERR_RUNTIME,
                           "Storage size calculation overflowed with sizes=%s",
                           shape_list(*shape).text);
    *out = empty ? 0 : n_bytes;
    return OK;
}

/* Takes over the caller's count of the storage, which may be NULL. */
static Status fill(Storage *storage, DType dtype, Shape shape, Array *out)
{
    if (!storage)
        return status_peek();
    *out = (Array){.storage = storage, .shape = shape, .dtype = dtype};
    set_c_order(out);
    return OK;
}

Status array_new(DType dtype, Shape shape, Device device, Array *out)
{
    size_t n_bytes = 0;
    TRY(needed_bytes(dtype, &shape, &n_bytes));
    TRY(device_resolve(device, &device));
    return fill(storage_new(device, n_bytes), dtype, shape, out);
}

Status array_new_pinned(DType dtype, Shape shape, Array *out)
{
    size_t n_bytes = 0;
    TRY(needed_bytes(dtype, &shape, &n_bytes));
    return fill(storage_new_pinned(n_bytes), dtype, shape, out);
}

Status array_over(Storage *storage, int64_t offset, DType dtype, Shape shape,
                  Array *out)
{
    size_t n_bytes = 0;
    TRY(needed_bytes(dtype, &shape, &n_bytes));
    size_t room = storage_bytes(storage);
    size_t first = (size_t)offset * dtype_bytes(dtype);
    if (offset < 0 || (size_t)offset > room / dtype_bytes(dtype) ||
        n_bytes > room - first)
        return status_fail(ERR_RUNTIME,
                           "setStorage: sizes %s, storage offset %lld, and "
                           "itemsize %zu requiring a storage size of %zu are "
                           "out of bounds for storage of size %zu",
                           shape_list(shape).text, (long long)offset,
                           dtype_bytes(dtype), first + n_bytes, room);
    Array a = {
        .storage = storage, .offset = offset, .shape = shape, .dtype = dtype};
    set_c_order(&a);
    *out = a;
    return OK;
}

Array array_share(const Array *a)
{
    Array same = *a;
    if (same.storage)
        storage_retain(same.storage);
    return same;
}

void array_release(Array *a)
{
    storage_release(a->storage);
    *a = (Array){0};
}

Device array_device(const Array *a)
{
    return storage_device(a->storage);
}

int64_t array_count(const Array *a)
{
    return shape_count(a->shape);
}

size_t array_bytes(const Array *a)
{
    return (size_t)array_count(a) * dtype_bytes(a->dtype);
}

bool array_is_contiguous(const Array *a)
{
    if (array_count(a) == 0)
        return true;
    int64_t stride = 1;
    for (int i = a->shape.n_dims - 1; i >= 0; i--) {
        if (a->shape.dims[i] != 1 && a->strides[i] != stride)
            return false;
        stride *= a->shape.dims[i];
    }
    return true;
}

void *array_data(const Array *a)
{
    char *start = storage_data(a->storage);
    if (!start)
        return NULL;
    return start + (size_t)a->offset * dtype_bytes(a->dtype);
}

bool array_shares(const Array *a, const Array *b)
{
    return a->storage && a->storage == b->storage;
}

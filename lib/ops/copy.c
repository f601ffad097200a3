/* The same numbers elsewhere: another place, dtype or order. */
#include "ops/copy.h"           // defines: op_to, op_clone, op_cast
#include "ops/check.h"          // defines: check_broadcast_into
#include "ops/kernels/copy.k.h" // defines: CopyArgs and kernels
#include "ops/plan.h"           // defines: plan_walk, plan_width

/* The casts from one dtype to all, in the order of DType. */
#define CASTS(from)                                                            \
    {                                                                          \
        &cast_##from##_b8_kernel, &cast_##from##_u8_kernel,                    \
            &cast_##from##_i32_kernel, &cast_##from##_i64_kernel,              \
            &cast_##from##_f16_kernel, &cast_##from##_bf16_kernel,             \
            &cast_##from##_f32_kernel, &cast_##from##_f64_kernel               \
    }
/* A dtype to itself is a copy of its width. */
#define cast_b8_b8_kernel copy_8_kernel
#define cast_u8_u8_kernel copy_8_kernel
#define cast_i32_i32_kernel copy_32_kernel
#define cast_i64_i64_kernel copy_64_kernel
#define cast_f16_f16_kernel copy_16_kernel
#define cast_bf16_bf16_kernel copy_16_kernel
#define cast_f32_f32_kernel copy_32_kernel
#define cast_f64_f64_kernel copy_64_kernel
static const Kernel *const casts[N_DTYPES][N_DTYPES] = {
    [BOOL] = CASTS(b8),     [UINT8] = CASTS(u8),    [INT32] = CASTS(i32),
    [INT64] = CASTS(i64),   [FLOAT16] = CASTS(f16), [BFLOAT16] = CASTS(bf16),
    [FLOAT32] = CASTS(f32), [FLOAT64] = CASTS(f64),
};

/* to[…] = from[…], converted and broadcast, on one device. */
static Status copy_here(Array *to, const Array *from)
{
    Device device = array_device(to);
    size_t n_bytes = array_bytes(to);
    if (n_bytes == 0) // an empty view may begin past its storage's end
        return OK;
    if (to->dtype == from->dtype && shape_equal(to->shape, from->shape) &&
        array_is_contiguous(to) && array_is_contiguous(from))
        return storage_copy(
            to->storage, (size_t)to->offset * dtype_bytes(to->dtype),
            from->storage, (size_t)from->offset * dtype_bytes(from->dtype),
            n_bytes);
    const Array *arrays[] = {to, from};
    CopyArgs args = {array_data(from), array_data(to),
                     plan_walk(to->shape, arrays, 2)};
    DType widest = dtype_bytes(from->dtype) > dtype_bytes(to->dtype)
                       ? from->dtype
                       : to->dtype;
    return kernel_run(device, casts[from->dtype][to->dtype], &args,
                      plan_threads(&args.walk, 2, widest));
}

/* A new array in C order on a's device, of this dtype, with a's numbers. */
static Status copy_new(const Array *a, DType dtype, Array *out)
{
    Array result = {0};
    TRY(array_new(dtype, a->shape, array_device(a), &result));
    Status status = copy_here(&result, a);
    if (status == OK)
        *out = result;
    else
        array_release(&result);
    return status;
}

Status op_clone(const Array *a, Array *out)
{
    return copy_new(a, a->dtype, out);
}

Status op_cast(const Array *a, DType dtype, Array *out)
{
    return copy_new(a, dtype, out);
}

Status op_contiguous(const Array *a, Array *out)
{
    if (!array_is_contiguous(a))
        return op_clone(a, out);
    *out = array_share(a);
    return OK;
}

typedef Status Transfer(Storage *to, size_t to_offset, const Storage *from,
                        size_t from_offset, size_t n_bytes);

/* The bytes of `from` to another place; both in C order, dtypes alike. */
static Status transfer(Transfer *copy, Array *to, const Array *from)
{
    size_t n_one = dtype_bytes(to->dtype);
    if (array_count(to) == 0)
        return OK;
    return copy(to->storage, (size_t)to->offset * n_one, from->storage,
                (size_t)from->offset * n_one, array_bytes(to));
}

/* a's numbers into `there`, which is new and in C order. After a failure it is
 * released; after success it is *out. */
static Status send(Transfer *copy, const Array *a, Array *there, Array *out)
{
    Array here = {0};
    Status status = op_contiguous(a, &here);
    if (status == OK)
        status = transfer(copy, there, &here);
    array_release(&here);
    if (status == OK)
        *out = *there;
    else
        array_release(there);
    return status;
}

Status op_to(const Array *a, Device device, Array *out)
{
    Array there = {0};
    TRY(array_new(a->dtype, a->shape, device, &there));
    return send(storage_copy, a, &there, out);
}

Status op_to_async(const Array *a, Device device, Array *out)
{
    Array there = {0};
    if (device_is_cuda(array_device(a)) && !device_is_cuda(device))
        TRY(array_new_pinned(a->dtype, a->shape, &there));
    else
        TRY(array_new(a->dtype, a->shape, device, &there));
    return send(storage_copy_async, a, &there, out);
}

Status op_pin(const Array *a, Array *out)
{
    Array pinned = {0};
    TRY(array_new_pinned(a->dtype, a->shape, &pinned));
    return send(storage_copy, a, &pinned, out);
}

/* to's place is another than from's. As PyTorch: what goes to a GPU is
 * converted before it travels, what comes to the CPU after. */
static Status copy_across(Array *to, const Array *from)
{
    Array ready = {0};
    Array arrived = {0};
    DType travels = device_is_cuda(array_device(to)) ? to->dtype : from->dtype;
    Status status = plan_cast(from, travels, &ready);
    if (status == OK && travels == to->dtype &&
        shape_equal(to->shape, from->shape) && array_is_contiguous(to)) {
        Array in_order = {0};
        status = op_contiguous(&ready, &in_order);
        if (status == OK)
            status = transfer(storage_copy, to, &in_order);
        array_release(&in_order);
    } else if (status == OK) {
        status = op_to(&ready, array_device(to), &arrived);
        if (status == OK)
            status = copy_here(to, &arrived);
    }
    array_release(&ready);
    array_release(&arrived);
    return status;
}

Status op_copy_into(Array *to, const Array *from)
{
    TRY(plan_check_writable(to));
    TRY(check_broadcast_into(to->shape, from->shape));
    if (!device_equal(array_device(to), array_device(from)))
        return copy_across(to, from);
    if (!array_shares(to, from))
        return copy_here(to, from);
    // Windows on the same bytes may overlap.
    Array copy = {0};
    TRY(op_clone(from, &copy));
    Status status = copy_here(to, &copy);
    array_release(&copy);
    return status;
}

Status op_reshape(const Array *a, Shape shape, Array *out)
{
    bool possible = false;
    TRY(array_view(a, shape, &possible, out));
    if (possible)
        return OK;
    Array copy = {0};
    TRY(op_clone(a, &copy));
    Status status = array_view(&copy, shape, &possible, out);
    array_release(&copy);
    return status;
}

Status op_read(const Array *a, void *out)
{
    Array in_order = {0};
    if (array_count(a) == 0)
        return OK;
    TRY(op_contiguous(a, &in_order));
    size_t offset = (size_t)in_order.offset * dtype_bytes(a->dtype);
    Status status = storage_read(in_order.storage, offset, out, array_bytes(a));
    array_release(&in_order);
    return status;
}

Status op_read_doubles(const Array *a, double *out)
{
    Array here = {0};
    Array real = {0};
    TRY(op_to(a, device_cpu(), &here));
    Status status = plan_cast(&here, FLOAT64, &real);
    if (status == OK)
        status = op_read(&real, out);
    array_release(&here);
    array_release(&real);
    return status;
}

/* Tensors: made, counted, asked. */
#include "tensor/tensor.h"        // defines: tensor_new, tensor_shape, …
#include "base/alloc.h"           // defines: mem_new, mem_free
#include "ops/copy.h"             // defines: op_read, op_read_doubles
#include "ops/create.h"           // defines: op_from_host
#include "tensor/number_format.h" // defines: number_integer
#include "tensor/object.h"        // defines: struct Tensor
#include "tensor/scope.h"         // defines: scope_hold, tensor_release
#include "tensor/tape.h"          // defines: tensor_requires_grad
#include <math.h>
#include <string.h>

static atomic_uint_fast64_t next_id = 1; // so many were made, and one
static atomic_uint_fast64_t n_gone;

/* ---- made and counted --------------------------------------------------- */

Tensor *tensor_wrap_unscoped(Array *array)
{
    Tensor *x = mem_new(sizeof *x);
    if (x == NULL) {
        array_release(array);
        return NULL;
    }
    atomic_init(&x->n_owners, 1);
    x->id = atomic_fetch_add(&next_id, 1);
    x->array = *array;
    array->storage = NULL; // its count is x's now
    return x;
}

static void release_object(void *object)
{
    tensor_release(object);
}

Tensor *tensor_wrap(Array *array)
{
    Tensor *x = tensor_wrap_unscoped(array);
    if (x != NULL && scope_hold(x, release_object) != OK) {
        tensor_release(x);
        return NULL;
    }
    return x;
}

Tensor *tensor_retain(Tensor *x)
{
    if (CHECK_NOT_NULL(x))
        atomic_fetch_add(&x->n_owners, 1);
    return x;
}

void tensor_release(Tensor *x)
{
    if (x == NULL || (atomic_load(&x->n_owners) > 1 &&
                      atomic_fetch_sub(&x->n_owners, 1) > 1))
        return; // (the last owner is alone: nobody can retain meanwhile)
    node_release(x->node);
    tensor_release(x->grad);
    storage_release(x->array.storage);
    mem_free(x);
    atomic_fetch_add(&n_gone, 1);
}

int64_t tensor_live_count(void)
{
    return (int64_t)(atomic_load(&next_id) - 1 - atomic_load(&n_gone));
}

Tensor *tensor_new(DType dtype, Shape shape, const void *data, Device device)
{
    Array out = {0};
    if (shape_count(shape) != 0 && !CHECK_NOT_NULL(data))
        return NULL;
    return finish(op_from_host(dtype, shape, data, device, &out), &out, NULL);
}

static Tensor *over(const char *function, DType dtype, Shape shape, void *data,
                    Device device)
{
    if (shape_count(shape) != 0 && !CHECK_NOT_NULL_OF(function, data))
        return NULL;
    Array out = {0};
    size_t n_bytes = (size_t)shape_count(shape) * dtype_bytes(dtype);
    Storage *storage = storage_borrow(device, data, n_bytes, NULL, NULL);
    if (storage == NULL)
        return NULL;
    Status status = array_over(storage, 0, dtype, shape, &out);
    if (status != OK)
        storage_release(storage);
    return finish(status, &out, NULL);
}

Tensor *tensor_from_host(DType dtype, Shape shape, void *data)
{
    return over(__func__, dtype, shape, data, device_cpu());
}

Tensor *tensor_from_device(DType dtype, Shape shape, void *data, Device device)
{
    Device place;
    if (device_resolve(device, &place) != OK)
        return NULL;
    return over(__func__, dtype, shape, data, place);
}

/* ---- asked ------------------------------------------------------------- */

Device tensor_device(const Tensor *x)
{
    return CHECK_NOT_NULL(x) ? array_device(&x->array) : device_cpu();
}

bool tensor_is_cuda(const Tensor *x)
{
    return device_is_cuda(tensor_device(x));
}

const char *tensor_type_name(const Tensor *x)
{
    static const char *const names[N_DTYPES][2] = {
        [BOOL] = {"torch.BoolTensor", "torch.cuda.BoolTensor"},
        [UINT8] = {"torch.ByteTensor", "torch.cuda.ByteTensor"},
        [INT32] = {"torch.IntTensor", "torch.cuda.IntTensor"},
        [INT64] = {"torch.LongTensor", "torch.cuda.LongTensor"},
        [FLOAT16] = {"torch.HalfTensor", "torch.cuda.HalfTensor"},
        [BFLOAT16] = {"torch.BFloat16Tensor", "torch.cuda.BFloat16Tensor"},
        [FLOAT32] = {"torch.FloatTensor", "torch.cuda.FloatTensor"},
        [FLOAT64] = {"torch.DoubleTensor", "torch.cuda.DoubleTensor"},
    };
    return names[x->array.dtype][tensor_is_cuda(x)];
}

DType tensor_dtype(const Tensor *x)
{
    return CHECK_NOT_NULL(x) ? x->array.dtype : FLOAT32;
}

Shape tensor_shape(const Tensor *x)
{
    return CHECK_NOT_NULL(x) ? x->array.shape : shape_scalar();
}

int64_t tensor_size(const Tensor *x, int dim)
{
    int place;
    if (!CHECK_NOT_NULL(x) || shape_dim(dim, x->array.shape.n_dims, &place))
        return 0;
    if (x->array.shape.n_dims == 0) {
        status_fail(ERR_INDEX,
                    "Dimension specified as %d but tensor has no "
                    "dimensions",
                    dim);
        return 0;
    }
    return x->array.shape.dims[place];
}

int tensor_dim(const Tensor *x)
{
    return CHECK_NOT_NULL(x) ? x->array.shape.n_dims : 0;
}

int64_t tensor_numel(const Tensor *x)
{
    return CHECK_NOT_NULL(x) ? array_count(&x->array) : 0;
}

size_t tensor_nbytes(const Tensor *x)
{
    return CHECK_NOT_NULL(x) ? array_bytes(&x->array) : 0;
}

void tensor_strides(const Tensor *x, int64_t *out)
{
    if (CHECK_NOT_NULL(x))
        memcpy(out, x->array.strides,
               (size_t)x->array.shape.n_dims * sizeof *out);
}

bool tensor_is_contiguous(const Tensor *x)
{
    return CHECK_NOT_NULL(x) && array_is_contiguous(&x->array);
}

void *tensor_data(const Tensor *x)
{
    return CHECK_NOT_NULL(x) ? array_data(&x->array) : NULL;
}

void *tensor_numpy(const Tensor *x)
{
    if (!CHECK_NOT_NULL(x))
        return NULL;
    if (tensor_is_cuda(x)) {
        status_fail(ERR_TYPE,
                    "can't convert %s device type tensor to numpy. Use "
                    "Tensor.cpu() to copy the tensor to host memory first.",
                    device_str(tensor_device(x)).text);
        return NULL;
    }
    if (tensor_requires_grad(x)) {
        status_fail(ERR_RUNTIME, "Can't call numpy() on Tensor that requires "
                                 "grad. Use tensor.detach().numpy() instead.");
        return NULL;
    }
    return array_data(&x->array);
}

static bool one_element(const char *function, const Tensor *x)
{
    if (!CHECK_NOT_NULL_OF(function, x))
        return false;
    if (array_count(&x->array) == 1)
        return true;
    status_fail(ERR_VALUE, "only one element tensors can be converted to "
                           "Python scalars");
    return false;
}

double tensor_item(const Tensor *x)
{
    double value = 0;
    if (!one_element(__func__, x) || op_read_doubles(&x->array, &value) != OK)
        return 0;
    return value;
}

/* The fraction cut off, as Python's int does. */
static int64_t whole(double value)
{
    if (value >= -0x1p63 && value < 0x1p63)
        return (int64_t)value;
    if (isnan(value))
        status_fail(ERR_VALUE, "cannot convert float NaN to integer");
    else if (isinf(value))
        status_fail(ERR_VALUE, "cannot convert float infinity to integer");
    else
        status_fail(ERR_VALUE, "%g does not fit in an int64", value);
    return 0;
}

int64_t tensor_item_int(const Tensor *x)
{
    int64_t bytes = 0; // room for one number of any dtype
    if (!one_element(__func__, x))
        return 0;
    if (dtype_is_floating(x->array.dtype))
        return whole(tensor_item(x));
    if (op_read(&x->array, &bytes) != OK)
        return 0;
    return number_integer(x->array.dtype, &bytes, 0);
}

Status tensor_read(const Tensor *x, double *out, int64_t n)
{
    if (!CHECK_NOT_NULL(x))
        return status_peek();
    if (n < array_count(&x->array))
        return status_fail(ERR_VALUE,
                           "tensor_read: there is room for %lld numbers, but "
                           "the tensor has %lld",
                           (long long)n, (long long)array_count(&x->array));
    return op_read_doubles(&x->array, out);
}

bool tensor_shares_storage(const Tensor *a, const Tensor *b)
{
    return CHECK_NOT_NULL(a) && CHECK_NOT_NULL(b) &&
           array_shares(&a->array, &b->array);
}

uint64_t tensor_id(const Tensor *x)
{
    return CHECK_NOT_NULL(x) ? x->id : 0;
}

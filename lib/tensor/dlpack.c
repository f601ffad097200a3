/* Sharing memory with NumPy, PyTorch and others: the exported struct holds one
 * count of the tensor, the imported tensor's storage calls the exporter's
 * deleter when its last view goes.
 *
 * source  DLPack 0.8 ABI, dmlc.github.io/dlpack
 */
#include "tensor/dlpack.h" // defines: DLManagedTensor, tensor_to_dlpack
#include "base/alloc.h"    // defines: mem_new, mem_free
#include "tensor/object.h" // defines: struct Tensor, finish
#include "tensor/scope.h"  // defines: tensor_retain, tensor_release
#include "tensor/tape.h"   // defines: tensor_requires_grad
#include <inttypes.h>

enum { ON_CPU = 1, ON_CUDA = 2, ON_CUDA_HOST = 3, ON_CUDA_MANAGED = 13 };
enum { INTEGER = 0, UNSIGNED = 1, REAL = 2, BFLOAT = 4, TRUTH = 6 };

static const struct {
    DType dtype;
    DLDataType name;
} names[] = {
    {BOOL, {TRUTH, 8, 1}},     {UINT8, {UNSIGNED, 8, 1}},
    {INT32, {INTEGER, 32, 1}}, {INT64, {INTEGER, 64, 1}},
    {FLOAT16, {REAL, 16, 1}},  {BFLOAT16, {BFLOAT, 16, 1}},
    {FLOAT32, {REAL, 32, 1}},  {FLOAT64, {REAL, 64, 1}},
};

/* ---- out -------------------------------------------------------------------
 */

/* One block: what others see, and where its shape and strides lie. */
typedef struct Export {
    DLManagedTensor managed;
    Tensor *tensor;
    int64_t shape[MAX_DIMS];
    int64_t strides[MAX_DIMS];
} Export;

static void delete_export(DLManagedTensor *self)
{
    Export *export = self->manager_ctx;
    tensor_release(export->tensor);
    mem_free(export);
}

DLManagedTensor *tensor_to_dlpack(Tensor *x)
{
    if (!CHECK_NOT_NULL(x))
        return NULL;
    if (tensor_requires_grad(x)) {
        status_fail(ERR_RUNTIME, "Can't export tensors that require gradient, "
                                 "use tensor.detach()");
        return NULL;
    }
    Export *export = mem_new(sizeof *export);
    if (export == NULL)
        return NULL;
    const Array *array = &x->array;
    Device device = array_device(array);
    DLTensor *out = &export->managed.dl_tensor;
    for (int i = 0; i < array->shape.n_dims; i++) {
        export->shape[i] = array->shape.dims[i];
        export->strides[i] = array->strides[i];
    }
    out->data = array_data(array);
    out->device.device_type = device_is_cuda(device) ? ON_CUDA : ON_CPU;
    out->device.device_id = device_is_cuda(device) ? device.index : 0;
    out->ndim = array->shape.n_dims;
    out->dtype = names[array->dtype].name;
    out->shape = export->shape;
    out->strides = export->strides;
    export->tensor = tensor_retain(x);
    export->managed.manager_ctx = export;
    export->managed.deleter = delete_export;
    return &export->managed;
}

/* ---- in --------------------------------------------------------------------
 */

static Status read_dtype(DLDataType name, DType *out)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].name.code == name.code &&
            names[i].name.bits == name.bits && name.lanes == 1) {
            *out = names[i].dtype;
            return OK;
        }
    }
    return status_fail(ERR_TYPE,
                       "this array has a dtype that the workbook lacks (DLPack "
                       "code %d, %d bits, %d lanes); convert it to one of "
                       "bool, uint8, int32, int64 or a float first",
                       name.code, name.bits, name.lanes);
}

static Status read_device(DLDevice device, Device *out)
{
    if (device.device_type == ON_CPU || device.device_type == ON_CUDA_HOST) {
        *out = device_cpu();
        return OK;
    }
    if (device.device_type == ON_CUDA || device.device_type == ON_CUDA_MANAGED)
        return device_resolve(device_cuda(device.device_id), out);
    return status_fail(ERR_TYPE,
                       "this array lives on a kind of device that the workbook "
                       "lacks (DLPack device type %d)",
                       device.device_type);
}

/* Strides and how many numbers of memory they span. */
static Status read_layout(const DLTensor *in, Array *out, int64_t *span)
{
    if (in->ndim < 0 || in->ndim > MAX_DIMS)
        return status_fail(ERR_TYPE,
                           "this array has %d dimensions; the workbook's "
                           "tensors have at most %d",
                           in->ndim, MAX_DIMS);
    int64_t compact = 1;
    *span = 1;
    out->shape.n_dims = in->ndim;
    for (int i = in->ndim - 1; i >= 0; i--) {
        int64_t size = in->shape[i];
        if (size < 0)
            return status_fail(ERR_TYPE,
                               "this array says that its dimension %d has "
                               "%" PRId64 " numbers",
                               i, size);
        out->shape.dims[i] = size;
        out->strides[i] = in->strides != NULL ? in->strides[i] : compact;
        if (out->strides[i] < 0)
            return status_fail(
                ERR_TYPE,
                "this array runs backwards along dimension %d (stride "
                "%" PRId64 "), which tensors cannot; copy it first",
                i, out->strides[i]);
        compact *= size;
        *span += (size - 1) * out->strides[i];
    }
    if (compact == 0)
        *span = 0;
    return OK;
}

static void delete_import(void *context)
{
    DLManagedTensor *managed = context;
    if (managed->deleter != NULL)
        managed->deleter(managed);
}

Tensor *tensor_from_dlpack(DLManagedTensor *managed)
{
    Array array = {0};
    Device device;
    int64_t span = 0;
    if (!CHECK_NOT_NULL(managed))
        return NULL;
    const DLTensor *in = &managed->dl_tensor;
    if (read_dtype(in->dtype, &array.dtype) != OK ||
        read_device(in->device, &device) != OK ||
        read_layout(in, &array, &span) != OK)
        return NULL;
    void *data = in->data == NULL ? NULL : (char *)in->data + in->byte_offset;
    size_t n_bytes = (size_t)span * dtype_bytes(array.dtype);
    array.storage =
        storage_borrow(device, data, n_bytes, delete_import, managed);
    if (array.storage == NULL)
        return NULL;
    void (*deleter)(DLManagedTensor *) = managed->deleter;
    managed->deleter = NULL; // if the next step fails it is still the caller's
    Tensor *x = tensor_wrap(&array);
    managed->deleter = deleter;
    return x;
}

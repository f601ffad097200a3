/* A tensor's repr: its numbers are brought to the host, and its facts put
 * beside them. Where tensors are born by default is not worth saying. */
#include "tensor/format.h" // defines: tensor_repr
#include "base/alloc.h"    // defines: mem_new, mem_free
#include "device/ledger.h" // defines: ledger_printing_begin
#include "ops/copy.h"      // defines: op_read
#include "tensor/create.h" // defines: default_device
#include "tensor/object.h" // defines: struct Tensor
#include "tensor/repr.h"   // defines: ReprFacts, repr_add
#include "tensor/tape.h"   // defines: tensor_grad_fn, tensor_requires_grad

/* Shown unless it is of the default's kind; of two GPUs the current one is the
 * default. */
static bool shows_device(Device device)
{
    if (device.kind != default_device().kind)
        return true;
    return device_is_cuda(device) && device.index != cuda_current_device();
}

/* The numbers, in C order, in host memory. owner: the caller, mem_free. */
static void *read_all(const Tensor *x)
{
    void *data = mem_new(array_bytes(&x->array) + 1);
    if (data == NULL)
        return NULL;
    ledger_printing_begin();
    Status status = op_read(&x->array, data);
    ledger_printing_end();
    if (status == OK)
        return data;
    mem_free(data);
    return NULL;
}

char *tensor_repr(const Tensor *x)
{
    if (!CHECK_NOT_NULL(x))
        return NULL;
    void *data = read_all(x);
    if (data == NULL)
        return NULL;
    Device device = array_device(&x->array);
    DeviceText name = device_str(device);
    ReprFacts facts = {.numbers = {x->array.dtype, x->array.shape, data},
                       .device = shows_device(device) ? name.text : NULL,
                       .grad_fn = tensor_grad_fn(x),
                       .requires_grad = tensor_requires_grad(x)};
    Text text = {0};
    repr_add(&text, &facts);
    mem_free(data);
    return text_take(&text);
}

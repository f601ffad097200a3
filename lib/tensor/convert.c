/* The same numbers elsewhere, or of another dtype (lessons 02 and 04). */
#include "ops/copy.h"        // defines: op_to, op_cast, op_clone
#include "tensor/backward.h" // defines: pass_through
#include "tensor/object.h"   // defines: finish, Step
#include "tensor/scope.h"    // defines: tensor_retain
#include "tensor/tape.h"     // defines: tensor_detach, tensor_set_data

/* The walk brings the gradient back to the input's place and dtype. */
static const NodeType copy_type = {"CopyBackwards", pass_through};

typedef Status Move(const Array *a, Device device, Array *out);

static Tensor *to(const char *function, Move *move, Tensor *x, Device device)
{
    Device place;
    Array out = {0};
    if (!CHECK_NOT_NULL_OF(function, x) || device_resolve(device, &place) != OK)
        return NULL;
    // PyTorch copies for 'cpu:0'; here a CPU has no index, and x is x.
    if (device_equal(place, array_device(&x->array)))
        return x;
    return finish(move(&x->array, place, &out), &out,
                  &(Step){.type = &copy_type, .inputs = {x}, .n_inputs = 1});
}

Tensor *tensor_to(Tensor *x, Device device)
{
    return to(__func__, op_to, x, device);
}

Tensor *tensor_to_non_blocking(Tensor *x, Device device)
{
    return to(__func__, op_to_async, x, device);
}

Tensor *tensor_pin_memory(Tensor *x)
{
    static const NodeType type = {"PinMemoryBackward", pass_through};
    Array out = {0};
    if (!CHECK_NOT_NULL(x))
        return NULL;
    if (tensor_is_cuda(x)) {
        status_fail(ERR_RUNTIME,
                    "cannot pin '%s' only dense CPU tensors can be pinned",
                    tensor_type_name(x));
        return NULL;
    }
    if (tensor_is_pinned(x))
        return x;
    return finish(op_pin(&x->array, &out), &out,
                  &(Step){.type = &type, .inputs = {x}, .n_inputs = 1});
}

bool tensor_is_pinned(const Tensor *x)
{
    return CHECK_NOT_NULL(x) && storage_is_pinned(x->array.storage);
}

Tensor *tensor_cuda(Tensor *x, int index)
{
    if (!CHECK_NOT_NULL(x))
        return NULL;
    return tensor_to(x, device_cuda(index));
}

Tensor *tensor_cpu(Tensor *x)
{
    if (!CHECK_NOT_NULL(x))
        return NULL;
    return tensor_to(x, device_cpu());
}

Tensor *tensor_cast(Tensor *x, DType dtype)
{
    Array out = {0};
    if (!CHECK_NOT_NULL(x))
        return NULL;
    if (x->array.dtype == dtype)
        return x;
    return finish(op_cast(&x->array, dtype, &out), &out,
                  &(Step){.type = &copy_type, .inputs = {x}, .n_inputs = 1});
}

Tensor *tensor_half(Tensor *x)
{
    if (!CHECK_NOT_NULL(x))
        return NULL;
    return tensor_cast(x, FLOAT16);
}

Tensor *tensor_clone(Tensor *x)
{
    static const NodeType type = {"CloneBackward", pass_through};
    Array out = {0};
    if (!CHECK_NOT_NULL(x))
        return NULL;
    return finish(op_clone(&x->array, &out), &out,
                  &(Step){.type = &type, .inputs = {x}, .n_inputs = 1});
}

Tensor *tensor_detach(Tensor *x)
{
    if (!CHECK_NOT_NULL(x))
        return NULL;
    Array array = array_share(&x->array);
    return tensor_wrap(&array);
}

Status tensor_set_data(Tensor *x, Tensor *y)
{
    if (!CHECK_NOT_NULL(x) || !CHECK_NOT_NULL(y))
        return status_peek();
    if (x == y)
        return OK;
    // y's bytes count as written more often than x's were: a step that saved x
    // must see that x is no longer what it was.
    long more = tensor_writes(x) - tensor_writes(y);
    if (!array_shares(&x->array, &y->array))
        storage_written(y->array.storage, (more > 0 ? more : 0) + 1);
    Array array = array_share(&y->array);
    array_release(&x->array);
    x->array = array;
    return OK;
}

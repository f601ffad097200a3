/* Broadcast forward, reduce-add backward; both in buckets. */
#include "parallel/broadcast.h"

#include "base/alloc.h"         // defines: mem_new, mem_free
#include "base/status.h"        // defines: TRY, status_fail
#include "parallel/replicate.h" // defines: BROADCAST_BUCKET_BYTES
#include "tensor/create.h"      // defines: tensor_zeros
#include "tensor/functional.h"  // defines: tensor_cat, tensor_slice
#include "tensor/node.h"        // defines: node_record
#include "tensor/tape.h"        // defines: tensor_detach, no_grad_enter

/* The longest run from `first` of one dtype within one bucket: at least one
 * tensor, however large. Returns the index after it. */
static int bucket_end(Tensor *const *tensors, int n, int first)
{
    size_t n_bytes = tensor_nbytes(tensors[first]);
    int end = first + 1;
    for (; end < n; end++) {
        n_bytes += tensor_nbytes(tensors[end]);
        if (tensor_dtype(tensors[end]) != tensor_dtype(tensors[first]) ||
            n_bytes > BROADCAST_BUCKET_BYTES)
            break;
    }
    return end;
}

/* All numbers of a bucket in one row; one tensor alone is its own row. */
static Tensor *flatten(Tensor *const *tensors, int n)
{
    Tensor **rows = mem_new((size_t)n * sizeof *rows);
    if (!rows)
        return NULL;
    Tensor *flat = NULL;
    for (int i = 0; i < n; i++)
        rows[i] = tensor_reshape(tensors[i], shape(-1));
    if (status_peek() == OK)
        flat = n == 1 ? rows[0] : tensor_cat(rows, n, 0);
    mem_free(rows);
    return flat;
}

/* Cut a row up again: out[i] gets like[i]'s shape, and is a view of it. */
static Status unflatten(Tensor *flat, Tensor *const *like, int n, Tensor **out)
{
    int64_t at = 0;
    for (int i = 0; i < n; i++) {
        int64_t count = tensor_numel(like[i]);
        Tensor *piece = tensor_slice(flat, 0, at, at + count);
        out[i] = tensor_reshape(piece, tensor_shape(like[i]));
        if (!out[i])
            return status_peek();
        at += count;
    }
    return OK;
}

static Status check_place(Tensor *const *tensors, int n, int main_id)
{
    for (int i = 0; i < n; i++)
        if (!device_equal(tensor_device(tensors[i]), device_cuda(main_id)))
            return status_fail(
                ERR_RUNTIME, "All tensors must be on devices[0]: %d", main_id);
    return OK;
}

static Status copy_out(Tensor *const *tensors, int n, const int *device_ids,
                       int n_devices, Tensor **out)
{
    for (int i = 0; i < n; i++)
        if (!(out[i] = tensor_detach(tensors[i])))
            return status_peek();
    for (int first = 0, end; first < n; first = end) {
        end = bucket_end(tensors, n, first);
        Tensor *flat = flatten(tensors + first, end - first);
        for (int d = 1; d < n_devices; d++) {
            Tensor *there = tensor_to(flat, device_cuda(device_ids[d]));
            if (!there)
                return status_peek();
            TRY(unflatten(there, tensors + first, end - first,
                          out + d * n + first));
        }
    }
    return OK;
}

/* The gradient of tensor i from device d: what arrived, or zeros. */
static Tensor *arrived(const Node *node, Tensor *const *grads_out, int d, int i,
                       Device device)
{
    Tensor *grad = grads_out[d * node_n_inputs(node) + i];
    return grad ? grad
                : tensor_zeros(node_input_dtype(node, i),
                               node_input_shape(node, i), device);
}

/* Sum one bucket over the devices, in their order, on the main GPU. */
static Status reduce_bucket(const Node *node, Tensor *const *grads_out,
                            Tensor **grads_in, int first, int end)
{
    const int *device_ids = node_constants(node);
    int n = node_n_inputs(node), n_devices = node_n_outputs(node) / n;
    Tensor **pieces = mem_new((size_t)(end - first) * sizeof(Tensor *));
    if (!pieces)
        return status_peek();
    Device main_device = device_cuda(device_ids[0]);
    Tensor *sum = NULL;
    for (int d = 0; d < n_devices && status_peek() == OK; d++) {
        for (int i = first; i < end; i++)
            pieces[i - first] =
                arrived(node, grads_out, d, i, device_cuda(device_ids[d]));
        if (status_peek() != OK)
            break;
        Tensor *flat = tensor_to(flatten(pieces, end - first), main_device);
        sum = d == 0 ? flat : tensor_add(sum, flat);
    }
    Status status = status_peek();
    if (status == OK)
        status = unflatten(sum, pieces, end - first, grads_in + first);
    mem_free(pieces);
    return status;
}

static Status reduce_add(const Node *node, Tensor *const *grads_out,
                         Tensor **grads_in)
{
    int n = node_n_inputs(node);
    Tensor **like = mem_new((size_t)n * sizeof *like);
    if (!like)
        return status_peek();
    /* Buckets are cut by the tensors that were broadcast. */
    for (int i = 0; i < n; i++)
        like[i] = node_saved(node, i);
    Status status = OK;
    for (int first = 0, end; status == OK && first < n; first = end) {
        end = bucket_end(like, n, first);
        status = reduce_bucket(node, grads_out, grads_in, first, end);
    }
    mem_free(like);
    return status;
}

static const NodeType BROADCAST = {"BroadcastBackward", reduce_add};

Status broadcast_coalesced(Tensor *const *tensors, int n, const int *device_ids,
                           int n_devices, Tensor **out)
{
    TRY(check_place(tensors, n, device_ids[0]));
    bool wanted = node_wanted(tensors, n);
    bool recording = no_grad_enter();
    Status status = copy_out(tensors, n, device_ids, n_devices, out);
    no_grad_leave(recording);
    TRY(status);
    if (!wanted)
        return OK;
    return node_record(&BROADCAST, tensors, n, out, n * n_devices, tensors, n,
                       device_ids, (size_t)n_devices * sizeof *device_ids);
}

/* The same module on several GPUs. */
#include "parallel/replicate.h"

#include "base/alloc.h"         // defines: mem_new, mem_resize, mem_free
#include "base/status.h"        // defines: TRY, status_peek
#include "parallel/broadcast.h" // defines: broadcast_coalesced
#include "tensor/tape.h"        // defines: tensor_requires_grad

/* A module's tensors, each once, and their copies: copies[d * n + i]. */
typedef struct Tensors {
    Tensor **originals;
    Tensor **copies;
    int n;
    int capacity; // of originals
    int device;   // which row of copies a replica is made of
} Tensors;

/* Both kinds: those that need gradients, and the rest (most buffers). */
typedef struct Broadcasts {
    Tensors differentiable;
    Tensors plain;
} Broadcasts;

static bool add(void *context, const char *name, Tensor *x)
{
    (void)name;
    Broadcasts *b = context;
    Tensors *list = tensor_requires_grad(x) ? &b->differentiable : &b->plain;
    if (list->n == list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 16;
        Tensor **grown =
            mem_resize(list->originals, (size_t)capacity * sizeof *grown);
        if (!grown)
            return false;
        list->originals = grown;
        list->capacity = capacity;
    }
    list->originals[list->n++] = x;
    return true;
}

static void tensors_free(Tensors *list)
{
    mem_free(list->originals);
    mem_free(list->copies);
}

static Tensor *find(const Tensors *list, const Tensor *x, int device)
{
    for (int i = 0; i < list->n; i++)
        if (list->originals[i] == x)
            return list->copies[device * list->n + i];
    return NULL;
}

static Tensor *replace(void *context, Tensor *x)
{
    const Broadcasts *b = context;
    Tensor *y = find(&b->differentiable, x, b->differentiable.device);
    return y ? y : find(&b->plain, x, b->plain.device);
}

static Status send(Tensors *list, const int *device_ids, int n)
{
    if (list->n == 0)
        return OK;
    list->copies = mem_new((size_t)list->n * (size_t)n * sizeof(Tensor *));
    if (!list->copies)
        return status_peek();
    return broadcast_coalesced(list->originals, list->n, device_ids, n,
                               list->copies);
}

Status replicate(Module *module, const int *device_ids, int n, Module **out)
{
    if (!CHECK_NOT_NULL(module))
        return status_peek();
    Broadcasts b = {0};
    module_each_parameter(module, add, &b);
    module_each_buffer(module, add, &b);
    Status status = status_peek(); // an unfinished walk finds too few
    if (status == OK)
        status = send(&b.differentiable, device_ids, n);
    if (status == OK)
        status = send(&b.plain, device_ids, n);
    for (int d = 0; status == OK && d < n; d++) {
        b.differentiable.device = b.plain.device = d;
        out[d] = module_replica(module, replace, &b);
        status = out[d] ? OK : status_peek();
    }
    tensors_free(&b.differentiable);
    tensors_free(&b.plain);
    return status;
}

/* Adding slices where an index says. */
#include "ops/index_add.h"           // defines: op_index_add_into
#include "ops/check.h"               // defines: check_same_device
#include "ops/copy.h"                // defines: op_cast, op_contiguous
#include "ops/kernel.h"              // defines: kernel_run
#include "ops/kernels/index_add.k.h" // defines: IndexAddArgs

static Status add(Array *to, int dim, const Array *index, const Array *from)
{
    static const Kernel *const kernels[] = {
        &index_add_f16_kernel, &index_add_bf16_kernel, &index_add_f32_kernel,
        &index_add_f64_kernel};
    IndexAddArgs args = {.from = array_data(from),
                         .index = array_data(index),
                         .to = array_data(to),
                         .outer = 1,
                         .n = to->shape.n_dims > 0 ? to->shape.dims[dim] : 1,
                         .inner = 1,
                         .n_index = array_count(index)};
    for (int d = 0; d < to->shape.n_dims; d++) {
        if (d < dim)
            args.outer *= to->shape.dims[d];
        else if (d > dim)
            args.inner *= to->shape.dims[d];
    }
    return kernel_run(array_device(to), kernels[to->dtype - FLOAT16], &args,
                      array_count(to));
}

Status op_index_add_into(Array *to, int dim, const Array *index,
                         const Array *from)
{
    TRY(shape_dim(dim, to->shape.n_dims, &dim));
    TRY(check_same_device(to, index));
    TRY(check_same_device(to, from));
    if (to->dtype != from->dtype || !dtype_is_floating(to->dtype))
        return status_fail(ERR_RUNTIME, "index_add_(): self and source must "
                                        "have the same scalar type");
    Array wide = {0}, flat = {0};
    Status status = op_cast(index, INT64, &wide);
    if (status == OK)
        status = op_contiguous(from, &flat);
    if (status == OK)
        status = add(to, dim, &wide, &flat);
    array_release(&wide);
    array_release(&flat);
    return status;
}

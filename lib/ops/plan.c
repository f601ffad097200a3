/* How an op prepares a kernel's arguments. */
#include "ops/plan.h"            // defines: plan_walk, plan_blocks
#include "base/half.h"           // defines: float16_of_float
#include "ops/copy.h"            // defines: op_cast
#include "ops/kernels/convert.h" // defines: CONVERT
#include "ops/kernels/pack.h"    // defines: pack_threads
#include <string.h>

/* Do dims d and d + 1 lie behind each other without a gap, in every array? */
static bool can_merge(const Walk *walk, int64_t d, int n_arrays)
{
    for (int a = 0; a < n_arrays; a++)
        if (walk->strides[a][d] != walk->dims[d + 1] * walk->strides[a][d + 1])
            return false;
    return true;
}

static void merge(Walk *walk, int64_t d)
{
    walk->dims[d] *= walk->dims[d + 1];
    for (int a = 0; a < WALK_ARRAYS; a++)
        walk->strides[a][d] = walk->strides[a][d + 1];
    walk->n_dims--;
    for (int64_t i = d + 1; i < walk->n_dims; i++) {
        walk->dims[i] = walk->dims[i + 1];
        for (int a = 0; a < WALK_ARRAYS; a++)
            walk->strides[a][i] = walk->strides[a][i + 1];
    }
}

/* The array's stride along dim d of the broadcast shape. */
static int64_t stride_along(const Array *array, Shape shape, int d)
{
    int own = d - (shape.n_dims - array->shape.n_dims);
    return own < 0 || array->shape.dims[own] == 1 ? 0 : array->strides[own];
}

Walk plan_walk(Shape shape, const Array *const *arrays, int n_arrays)
{
    Walk walk = {.n = shape_count(shape)};
    for (int d = 0; d < shape.n_dims; d++) {
        if (shape.dims[d] == 1)
            continue;
        walk.dims[walk.n_dims] = shape.dims[d];
        for (int a = 0; a < n_arrays; a++)
            walk.strides[a][walk.n_dims] = stride_along(arrays[a], shape, d);
        walk.n_dims++;
    }
    for (int64_t d = walk.n_dims - 2; d >= 0; d--)
        if (can_merge(&walk, d, n_arrays))
            merge(&walk, d);
    return walk;
}

Blocks plan_blocks(const Array *x, int dim)
{
    Blocks blocks = {1, 1, 1};
    for (int d = 0; d < x->shape.n_dims; d++) {
        int64_t *part = d < dim    ? &blocks.outer
                        : d == dim ? &blocks.n
                                   : &blocks.inner;
        *part *= x->shape.dims[d];
    }
    return blocks;
}

void plan_row(Walk *walk, int64_t n)
{
    walk->n = walk->dims[0] = n;
    walk->n_dims = 1;
    for (int a = 0; a < WALK_ARRAYS; a++)
        walk->strides[a][0] = 1;
}

int64_t plan_threads(const Walk *walk, int n_arrays, DType widest)
{
    bool is_flat =
        n_arrays == 3 ? walk_rows(walk) > 0 : walk_is_flat(walk, n_arrays);
    if (!is_flat)
        return walk->n;
    return pack_threads(walk->n, (int64_t)dtype_bytes(widest));
}

Status plan_cast(const Array *x, DType dtype, Array *out)
{
    if (x->dtype == dtype) {
        *out = array_share(x);
        return OK;
    }
    return op_cast(x, dtype, out);
}

Scalar plan_scalar_of(const Array *x)
{
    const void *data = array_data(x);
    switch (x->dtype) {
    case BOOL:
        return scalar_bool(*(const uint8_t *)data);
    case UINT8:
        return scalar_int(*(const uint8_t *)data);
    case INT32:
        return scalar_int(*(const int32_t *)data);
    case INT64:
        return scalar_int(*(const int64_t *)data);
    case FLOAT16:
        return scalar_real((double)float_of_float16(*(const Float16 *)data));
    case BFLOAT16:
        return scalar_real((double)float_of_bfloat16(*(const Bfloat16 *)data));
    case FLOAT32:
        return scalar_real((double)*(const float *)data);
    case FLOAT64:
        return scalar_real(*(const double *)data);
    }
    return scalar_int(0);
}

double plan_real(Scalar scalar, DType dtype)
{
    double value = scalar_as_real(scalar);
    switch (dtype) {
    case FLOAT16:
        return (double)float_of_float16(float16_of_float((float)value));
    case BFLOAT16:
        return (double)float_of_bfloat16(bfloat16_of_float((float)value));
    case FLOAT32:
        return (double)(float)value;
    default:
        return value;
    }
}

uint64_t plan_bits(Scalar scalar, DType dtype)
{
    double real = scalar_as_real(scalar);
    int64_t integer =
        scalar.kind == SCALAR_REAL ? i64_of_real(scalar.real) : scalar.integer;
    uint64_t bits = 0;
    float single = (float)real;
    switch (dtype) {
    case BOOL:
        return real != 0;
    case UINT8:
        return (uint8_t)integer;
    case INT32:
        return scalar.kind == SCALAR_REAL ? (uint32_t)i32_of_real(real)
                                          : (uint32_t)integer;
    case INT64:
        return (uint64_t)integer;
    case FLOAT16:
        return float16_of_float(single).bits;
    case BFLOAT16:
        return bfloat16_of_float(single).bits;
    case FLOAT32:
        return float_bits(single);
    case FLOAT64:
        memcpy(&bits, &real, sizeof bits);
        return bits;
    }
    return 0;
}

int plan_width(DType dtype)
{
    switch (dtype_bytes(dtype)) {
    case 1:
        return 0;
    case 2:
        return 1;
    case 4:
        return 2;
    default:
        return 3;
    }
}

static int category(DType dtype)
{
    return dtype_is_floating(dtype) ? 2 : dtype == BOOL ? 0 : 1;
}

Status plan_check_cast(DType from, DType to)
{
    if (category(from) <= category(to))
        return OK;
    return status_fail(
        ERR_RUNTIME,
        "result type %s can't be cast to the desired output type %s",
        dtype_scalar_name(from), dtype_scalar_name(to));
}

Status plan_check_writable(const Array *x)
{
    if (array_count(x) == 0)
        return OK; // nothing is seen at all
    for (int d = 0; d < x->shape.n_dims; d++)
        if (x->strides[d] == 0 && x->shape.dims[d] > 1)
            return status_fail(
                ERR_RUNTIME,
                "unsupported operation: more than one element of the "
                "written-to tensor refers to a single memory location. Please "
                "clone() the tensor before performing the operation.");
    return OK;
}

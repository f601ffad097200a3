/* Products of matrices: shapes and places checked, then one gemm. */
#include "ops/matmul.h"      // defines: op_matmul, op_linear
#include "ops/check.h"       // defines: check_broadcast
#include "ops/copy.h"        // defines: op_contiguous, op_reshape
#include "ops/create.h"      // defines: op_zeros
#include "ops/elementwise.h" // defines: op_binary_into
#include "ops/gemm.h"        // defines: Gemm, gemm_on_cpu, gemm_on_cuda

/* The operands under the names that PyTorch gives them in a call. */
typedef struct Call {
    const char *name;
    int n;
    const char *names[3];
    const Array *arrays[3];
} Call;

/* In PyTorch 1.3's words: an op runs on the GPU as soon as one operand is
 * there, and then complains of the first that is not. */
static Status check_places(const Call *call)
{
    int on_cpu = -1;
    int on_gpu = -1;
    for (int i = call->n - 1; i >= 0; i--)
        *(device_is_cuda(array_device(call->arrays[i])) ? &on_gpu : &on_cpu) =
            i;
    if (on_cpu >= 0 && on_gpu >= 0)
        return status_fail(
            ERR_DEVICE,
            "Expected object of device type cuda but got device type cpu for "
            "argument #%d '%s' in call to _th_%s",
            on_cpu + 1, call->names[on_cpu], call->name);
    for (int i = 1; i < call->n; i++)
        TRY(check_same_device(call->arrays[0], call->arrays[i]));
    return OK;
}

static Status check_dtypes(const Array *a, const Array *b)
{
    if (a->dtype == b->dtype)
        return OK;
    if (a->shape.n_dims == 1 && b->shape.n_dims == 1)
        return status_fail(
            ERR_RUNTIME,
            "dot : expected both vectors to have same dtype, but found %s and "
            "%s",
            dtype_scalar_name(a->dtype), dtype_scalar_name(b->dtype));
    return status_fail(ERR_RUNTIME, "expected scalar type %s but found %s",
                       dtype_scalar_name(a->dtype),
                       dtype_scalar_name(b->dtype));
}

static Status refuse_shapes(int64_t m, int64_t k, int64_t rows, int64_t n)
{
    return status_fail(ERR_RUNTIME,
                       "mat1 and mat2 shapes cannot be multiplied "
                       "(%lldx%lld and %lldx%lld)",
                       (long long)m, (long long)k, (long long)rows,
                       (long long)n);
}

/* The last two dims of x as BLAS sees them, or false when it cannot. */
static bool as_matrix(const Array *x, Matrix *out)
{
    int last = x->shape.n_dims - 1;
    int64_t rows = x->shape.dims[last - 1];
    int64_t columns = x->shape.dims[last];
    int64_t down = x->strides[last - 1];
    int64_t right = x->strides[last];
    Matrix matrix = {.data = array_data(x)};
    if ((right == 1 || columns == 1) && (down >= columns || rows == 1)) {
        matrix.leading = rows == 1 ? columns : down;
    } else if ((down == 1 || rows == 1) && (right >= rows || columns == 1)) {
        matrix.transposed = true;
        matrix.leading = columns == 1 ? rows : right;
    } else {
        return false;
    }
    *out = matrix;
    return true;
}

/* x as a matrix, or a batch of them in C order: copied only if it must be.
 * *kept holds what the matrix points into. */
static Status bring(const Array *x, Array *kept, Matrix *out)
{
    if (x->shape.n_dims == 2 && as_matrix(x, out)) {
        *kept = array_share(x);
        return OK;
    }
    TRY(op_contiguous(x, kept));
    as_matrix(kept, out);
    int last = x->shape.n_dims - 1;
    out->batch_stride = kept->shape.dims[last - 1] * kept->shape.dims[last];
    return OK;
}

/* (…,m,k) (…,k,n) into `to` (…,m,n), the leading dims alike, places and dtypes
 * checked. */
static Status multiply(const Array *a, const Array *b, Array *to)
{
    int last = to->shape.n_dims - 1;
    Gemm gemm = {
        .dtype = to->dtype,
        .m = to->shape.dims[last - 1],
        .n = to->shape.dims[last],
        .k = a->shape.dims[last],
        .n_batches = 1,
    };
    if (array_count(to) == 0)
        return OK;
    if (gemm.k == 0)
        return op_fill_into(to, scalar_int(0));
    gemm.n_batches = array_count(to) / (gemm.m * gemm.n);
    gemm.c = (Matrix){array_data(to), false, gemm.n, gemm.m * gemm.n};
    Array kept_a = {0};
    Array kept_b = {0};
    Device device = array_device(to);
    Status status = bring(a, &kept_a, &gemm.a);
    if (status == OK)
        status = bring(b, &kept_b, &gemm.b);
    if (status == OK)
        status = device_is_cuda(device) ? gemm_on_cuda(device.index, &gemm)
                                        : gemm_on_cpu(&gemm);
    array_release(&kept_a);
    array_release(&kept_b);
    return status;
}

/* The product of two that have the same number of dims, at least 2, with the
 * batches broadcast already. */
static Status multiply_new(const Array *a, const Array *b, Array *out)
{
    int last = a->shape.n_dims - 1;
    Shape made = a->shape;
    made.dims[last] = b->shape.dims[last];
    Array result = {0};
    TRY(array_new(a->dtype, made, array_device(a), &result));
    Status status = multiply(a, b, &result);
    if (status == OK)
        *out = result;
    else
        array_release(&result);
    return status;
}

static Status check_inner(const Array *a, const Array *b, Shape batch)
{
    int64_t k = a->shape.dims[a->shape.n_dims - 1];
    int64_t m = array_count(a) / (k > 0 ? k : 1);
    bool b_is_vector = b->shape.n_dims == 1;
    int last = b->shape.n_dims - 1;
    int64_t rows = b->shape.dims[b_is_vector ? 0 : last - 1];
    int64_t n = b_is_vector ? 1 : b->shape.dims[last];
    if (k == rows)
        return OK;
    if (a->shape.n_dims == 1 && b_is_vector)
        return status_fail(
            ERR_RUNTIME,
            "inconsistent tensor size, expected tensor [%lld] and src [%lld] "
            "to have the same number of elements, but got %lld and %lld "
            "elements respectively",
            (long long)k, (long long)rows, (long long)k, (long long)rows);
    if (b_is_vector)
        return status_fail(
            ERR_RUNTIME, "size mismatch, got %lld, %lldx%lld,%lld",
            (long long)m, (long long)m, (long long)k, (long long)rows);
    if (b->shape.n_dims == 2)
        return refuse_shapes(m, k, rows, n);
    int64_t n_batches = shape_count(batch);
    return status_fail(ERR_RUNTIME,
                       "Expected size for first two dimensions of batch2 "
                       "tensor to be: [%lld, %lld] but got: [%lld, %lld].",
                       (long long)n_batches, (long long)k, (long long)n_batches,
                       (long long)rows);
}

/* The dims before the last two. */
static Shape batch_of(const Array *x)
{
    Shape batch = x->shape;
    batch.n_dims = batch.n_dims > 2 ? batch.n_dims - 2 : 0;
    return batch;
}

/* A view of x with the batch in front of its last two dims. */
static Status with_batch(const Array *x, Shape batch, Array *out)
{
    int last = x->shape.n_dims - 1;
    Shape whole = batch;
    whole.n_dims += 2;
    whole.dims[batch.n_dims] = x->shape.dims[last - 1];
    whole.dims[batch.n_dims + 1] = x->shape.dims[last];
    return array_expand(x, whole, out);
}

/* Both have at least two dims. */
static Status matmul_matrices(const Array *a, const Array *b, Shape batch,
                              Array *out)
{
    Array wide_a = {0};
    Array wide_b = {0};
    Status status = with_batch(a, batch, &wide_a);
    if (status == OK)
        status = with_batch(b, batch, &wide_b);
    if (status == OK)
        status = multiply_new(&wide_a, &wide_b, out);
    array_release(&wide_a);
    array_release(&wide_b);
    return status;
}

/* (…,k) (k,n) is one product of (count,k) with (k,n). */
static Status matmul_folded(const Array *a, const Array *b, Array *out)
{
    int last = a->shape.n_dims - 1;
    int64_t k = a->shape.dims[last];
    Shape made = a->shape;
    made.dims[last] = b->shape.dims[1];
    Array rows = {0};
    Array product = {0};
    int64_t n_rows = 1;
    for (int d = 0; d < last; d++)
        n_rows *= a->shape.dims[d];
    Status status = op_reshape(a, shape(n_rows, k), &rows);
    if (status == OK)
        status = multiply_new(&rows, b, &product);
    if (status == OK)
        status = op_reshape(&product, made, out);
    array_release(&rows);
    array_release(&product);
    return status;
}

static const char *call_name(const Array *a, const Array *b)
{
    if (a->shape.n_dims == 1 && b->shape.n_dims == 1)
        return "dot";
    if (b->shape.n_dims == 1)
        return "mv";
    return b->shape.n_dims > 2 ? "bmm" : "mm";
}

/* The second operand's name in that call. */
static const char *second_name(const Array *a, const Array *b)
{
    if (b->shape.n_dims > 1)
        return "mat2";
    return a->shape.n_dims == 1 ? "tensor" : "vec";
}

/* Vectors have been made matrices. */
static Status matmul_checked(const Array *a, const Array *b, Shape batch,
                             Array *out)
{
    if (a->shape.n_dims > 2 && b->shape.n_dims == 2)
        return matmul_folded(a, b, out);
    return matmul_matrices(a, b, batch, out);
}

Status op_matmul(const Array *a, const Array *b, Array *out)
{
    Call call = {call_name(a, b), 2, {"self", second_name(a, b)}, {a, b}};
    TRY(check_places(&call));
    if (a->shape.n_dims == 0 || b->shape.n_dims == 0)
        return status_fail(ERR_RUNTIME,
                           "both arguments to matmul need to be at least 1D, "
                           "but they are %dD and %dD",
                           a->shape.n_dims, b->shape.n_dims);
    Shape batch;
    TRY(check_dtypes(a, b));
    TRY(check_broadcast(batch_of(a), batch_of(b), &batch));
    TRY(check_inner(a, b, batch));
    Array left = {0};
    Array right = {0};
    Array product = {0};
    bool drop_row = a->shape.n_dims == 1;
    bool drop_column = b->shape.n_dims == 1;
    Status status =
        drop_row ? array_unsqueeze(a, 0, &left) : (left = array_share(a), OK);
    if (status == OK)
        status = drop_column ? array_unsqueeze(b, 1, &right)
                             : (right = array_share(b), OK);
    if (status == OK)
        status = matmul_checked(&left, &right, batch, &product);
    if (status == OK && drop_column) {
        Array squeezed = {0};
        status = array_squeeze(&product, -1, &squeezed);
        array_release(&product);
        product = squeezed;
    }
    if (status == OK && drop_row)
        status = array_squeeze(&product, drop_column ? -1 : -2, out);
    else if (status == OK)
        *out = array_share(&product);
    array_release(&left);
    array_release(&right);
    array_release(&product);
    return status;
}

/* Everything PyTorch asks of x W^T + bias. */
static Status check_linear(const Array *x, const Array *weight,
                           const Array *bias)
{
    Call with_bias = {"addmm", 3, {"self", "mat1", "mat2"}, {bias, x, weight}};
    Call without = {"mm", 2, {"self", "mat2"}, {x, weight}};
    TRY(check_places(bias ? &with_bias : &without));
    if (x->shape.n_dims == 0 || weight->shape.n_dims == 0)
        return status_fail(ERR_RUNTIME,
                           "both arguments to matmul need to be at least 1D, "
                           "but they are %dD and %dD",
                           x->shape.n_dims, weight->shape.n_dims);
    if (weight->shape.n_dims != 2)
        return status_fail(ERR_RUNTIME,
                           "mat2 must be a matrix, got %d-D tensor",
                           weight->shape.n_dims);
    int64_t n_in = x->shape.dims[x->shape.n_dims - 1];
    if (n_in != weight->shape.dims[1])
        return refuse_shapes(array_count(x) / (n_in > 0 ? n_in : 1), n_in,
                             weight->shape.dims[1], weight->shape.dims[0]);
    if (bias && bias->dtype != weight->dtype)
        return status_fail(ERR_RUNTIME,
                           "self and mat2 must have the same dtype");
    if (bias && x->dtype != weight->dtype)
        return status_fail(ERR_RUNTIME,
                           "mat1 and mat2 must have the same dtype");
    return check_dtypes(x, weight);
}

static Status check_bias(const Array *bias, int64_t n_rows, int64_t n_out)
{
    Array seen = {0};
    TRY(array_expand(bias, shape(n_rows, n_out), &seen));
    array_release(&seen);
    return OK;
}

Status op_linear(const Array *x, const Array *weight, const Array *bias,
                 Array *out)
{
    TRY(check_linear(x, weight, bias));
    Array turned = {0};
    Array product = {0};
    int64_t n_in = weight->shape.dims[1];
    if (bias)
        TRY(check_bias(bias, array_count(x) / (n_in > 0 ? n_in : 1),
                       weight->shape.dims[0]));
    Status status = array_transpose(weight, 0, 1, &turned);
    if (status == OK)
        status = op_matmul(x, &turned, &product);
    if (status == OK && bias)
        status = op_binary_into(BINARY_ADD, &product, bias);
    array_release(&turned);
    if (status == OK)
        *out = product;
    else
        array_release(&product);
    return status;
}

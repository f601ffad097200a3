/* Arrays full of random numbers. */
#include "ops/random.h"           // defines: op_uniform_into, …
#include "array/generator.h"      // defines: Generator, Philox
#include "array/scalar.h"         // defines: scalar_int
#include "device/clock.h"         // defines: clock_charge_host
#include "device/ledger.h"        // defines: LEDGER_MAX_DEVICES
#include "ops/copy.h"             // defines: op_copy_into, op_clone
#include "ops/create.h"           // defines: op_arange
#include "ops/elementwise.h"      // defines: op_fill_into
#include "ops/kernel.h"           // defines: kernel_run
#include "ops/kernels/random.k.h" // defines: RandomArgs, random_integer_kernel
#include <inttypes.h>
#include <stdatomic.h>

/* What to draw. a, b: low and high, mean and deviation, or p and nothing. */
typedef enum Draw { UNIFORM, NORMAL, BERNOULLI, INTEGER } Draw;
typedef struct Fill {
    Draw draw;
    double a, b;
    int64_t low, high;
    bool one_by_one; // normal numbers for memory with gaps
} Fill;

/* ---- on the CPU ------------------------------------------------------------
 */

static void fill_on_cpu(Array *x, const Fill *fill)
{
    int64_t n = array_count(x);
    void *data = array_data(x);
    Generator *generator = generator_cpu_take();
    if (fill->draw == UNIFORM)
        generator_uniform(generator, x->dtype, data, n, fill->a, fill->b);
    else if (fill->draw == NORMAL)
        generator_normal(generator, x->dtype, data, n, fill->a, fill->b,
                         fill->one_by_one);
    else if (fill->draw == BERNOULLI)
        generator_bernoulli(generator, data, n, fill->a);
    else
        generator_randint(generator, data, n, fill->low, fill->high);
    generator_cpu_give();
    // About 10 operations make a draw, 20 more a normal number.
    clock_charge_host((fill->draw == NORMAL ? 30.0 : 10.0) * (double)n,
                      (double)array_bytes(x));
}

/* ---- on a GPU
 * ---------------------------------------------------------------- */

/* How many threads PyTorch would start, and how many 32-bit draws each uses up:
 * blocks of 256, as many as the GPU holds at once and n needs. */
static Status launch_of(int device, int64_t n, RandomArgs *args,
                        uint64_t *n_draws)
{
    static atomic_int most_blocks[LEDGER_MAX_DEVICES];
    int most = atomic_load(&most_blocks[device]);
    if (most == 0) {
        CudaProperties properties;
        TRY(cuda_properties(device, &properties));
        most = properties.n_multiprocessors *
               (properties.max_threads_per_multiprocessor / 256);
        atomic_store(&most_blocks[device], most);
    }
    int64_t blocks = (n + 255) / 256;
    args->n_threads = 256 * (blocks < most ? blocks : most);
    *n_draws = (uint64_t)((n - 1) / (args->n_threads * 4) + 1) * 4;
    return OK;
}

static const Kernel *kernel_of(Draw draw, DType dtype)
{
    static const Kernel *const kernels[][4] = {
        [UNIFORM] = {&random_uniform_f16_kernel, &random_uniform_bf16_kernel,
                     &random_uniform_f32_kernel, &random_uniform_f64_kernel},
        [NORMAL] = {&random_normal_f16_kernel, &random_normal_bf16_kernel,
                    &random_normal_f32_kernel, &random_normal_f64_kernel},
        [BERNOULLI] = {&random_bernoulli_f16_kernel,
                       &random_bernoulli_bf16_kernel,
                       &random_bernoulli_f32_kernel,
                       &random_bernoulli_f64_kernel},
    };
    return draw == INTEGER ? &random_integer_kernel
                           : kernels[draw][dtype - FLOAT16];
}

static Status fill_on_cuda(Array *x, const Fill *fill)
{
    Device device = array_device(x);
    uint64_t n_draws;
    RandomArgs args = {.out = array_data(x),
                       .n = array_count(x),
                       .a = fill->a,
                       .b = fill->b,
                       .low = fill->low,
                       .range = (uint64_t)fill->high - (uint64_t)fill->low};
    TRY(launch_of(device.index, args.n, &args, &n_draws));
    Philox stream = generator_cuda_take(device.index, n_draws);
    args.seed = stream.seed;
    args.offset = stream.offset;
    return kernel_run(device, kernel_of(fill->draw, x->dtype), &args, args.n);
}

/* ---- in memory order
 * ----------------------------------------------------------- */

/* The same numbers with the dims in the order in which they lie in memory, as
 * PyTorch fills them. Holds a count. */
static Array in_memory_order(const Array *x)
{
    Array y = array_share(x);
    for (int pass = 1; pass < y.shape.n_dims; pass++) {
        for (int d = pass; d > 0 && y.strides[d] > y.strides[d - 1]; d--) {
            int64_t stride = y.strides[d], size = y.shape.dims[d];
            y.strides[d] = y.strides[d - 1];
            y.shape.dims[d] = y.shape.dims[d - 1];
            y.strides[d - 1] = stride;
            y.shape.dims[d - 1] = size;
        }
    }
    return y;
}

static Status fill_plain(Array *x, const Fill *fill)
{
    if (device_is_cuda(array_device(x)))
        return fill_on_cuda(x, fill);
    fill_on_cpu(x, fill);
    return OK;
}

/* The dtype that is drawn: what other dtypes need is drawn, then converted. */
static DType drawn_dtype(const Array *x, Draw draw)
{
    if (draw == INTEGER)
        return INT64;
    if (draw != BERNOULLI)
        return x->dtype;
    if (!device_is_cuda(array_device(x)))
        return BOOL;
    return dtype_is_floating(x->dtype) ? x->dtype : FLOAT32;
}

static Status fill_any(Array *x, Fill fill)
{
    if (array_count(x) == 0)
        return OK;
    fill.one_by_one = !array_is_contiguous(x);
    Array y = in_memory_order(x);
    DType dtype = drawn_dtype(x, fill.draw);
    Status status;
    if (dtype == x->dtype && array_is_contiguous(&y)) {
        status = fill_plain(&y, &fill);
    } else {
        Array drawn = {0};
        status = array_new(dtype, y.shape, array_device(x), &drawn);
        if (status == OK)
            status = fill_plain(&drawn, &fill);
        if (status == OK)
            status = op_copy_into(&y, &drawn);
        array_release(&drawn);
    }
    array_release(&y);
    return status;
}

/* ---- the public ones
 * --------------------------------------------------------- */

Status op_uniform_into(Array *x, double low, double high)
{
    if (!dtype_is_floating(x->dtype))
        return status_fail(ERR_RUNTIME,
                           "\"check_uniform_bounds\" not implemented for '%s'",
                           dtype_scalar_name(x->dtype));
    if (!(low <= high))
        return status_fail(ERR_RUNTIME,
                           "uniform_ expects to return a [from, to) range, but "
                           "found from=%g > to=%g",
                           low, high);
    return fill_any(x, (Fill){.draw = UNIFORM, .a = low, .b = high});
}

Status op_normal_into(Array *x, double mean, double std)
{
    if (!(std >= 0))
        return status_fail(ERR_RUNTIME,
                           "normal expects std >= 0.0, but found std %g", std);
    if (!dtype_is_floating(x->dtype))
        return status_fail(ERR_RUNTIME,
                           "\"normal_kernel_%s\" not implemented for '%s'",
                           device_is_cuda(array_device(x)) ? "cuda" : "cpu",
                           dtype_scalar_name(x->dtype));
    return fill_any(x, (Fill){.draw = NORMAL, .a = mean, .b = std});
}

Status op_bernoulli_into(Array *x, double p)
{
    if (!(p >= 0 && p <= 1))
        return status_fail(ERR_RUNTIME,
                           "bernoulli_ expects p to be in [0, 1], but got p=%g",
                           p);
    return fill_any(x, (Fill){.draw = BERNOULLI, .a = p});
}

Status op_randint_into(Array *x, int64_t low, int64_t high)
{
    if (low >= high)
        return status_fail(ERR_RUNTIME,
                           "random_ expects 'from' to be less than 'to', but "
                           "got from=%" PRId64 " >= to=%" PRId64,
                           low, high);
    return fill_any(x, (Fill){.draw = INTEGER, .low = low, .high = high});
}

/* ---- random order
 * ------------------------------------------------------------- */

static Status sort_pairs(Array *keys, Array *values)
{
    int64_t n = array_count(keys);
    for (int64_t run = 2; run <= n; run *= 2) {
        for (int64_t apart = run / 2; apart > 0; apart /= 2) {
            SortArgs args = {array_data(keys), array_data(values), n, run,
                             apart};
            TRY(kernel_run(array_device(keys), &sort_round_kernel, &args,
                           n / 2));
        }
    }
    return OK;
}

/* Random keys for 0 … n-1, the largest key for what fills up to a power of
 * two; sorted by key, the numbers are in random order. */
static Status order_by_keys(int64_t n, int64_t n_padded, Device device,
                            Array *keys, Array *values)
{
    Array drawn = {0};
    TRY(op_full(INT64, shape(n_padded), scalar_int(-1), device, keys));
    TRY(op_arange(INT64, scalar_int(0), scalar_int(n_padded), scalar_int(1),
                  device, values));
    TRY(array_slice(keys, 0, 0, n, &drawn));
    // range 0: all 64 bits
    Status status = fill_plain(&drawn, &(Fill){.draw = INTEGER});
    array_release(&drawn);
    return status == OK ? sort_pairs(keys, values) : status;
}

static Status randperm_on_cuda(int64_t n, Device device, Array *out)
{
    int64_t n_padded = 1;
    while (n_padded < n)
        n_padded *= 2;
    Array keys = {0}, values = {0}, first = {0};
    Status status = order_by_keys(n, n_padded, device, &keys, &values);
    if (status == OK)
        status = array_slice(&values, 0, 0, n, &first);
    if (status == OK)
        status = op_clone(&first, out);
    array_release(&keys);
    array_release(&values);
    array_release(&first);
    return status;
}

Status op_randperm(int64_t n, Device device, Array *out)
{
    Array result = {0};
    TRY(array_new(INT64, shape(n), device, &result));
    device = array_device(&result);
    if (device_is_cuda(device) && n > 0) {
        array_release(&result);
        return randperm_on_cuda(n, device, out);
    }
    if (n > 0) {
        generator_randperm(generator_cpu_take(), array_data(&result), n);
        generator_cpu_give();
        clock_charge_host(15.0 * (double)n, (double)array_bytes(&result));
    }
    *out = result;
    return OK;
}

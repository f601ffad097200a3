/* Tensors out of nothing: zeros, ones, ranges, random numbers. */
#include "tensor/create.h"   // defines: tensor_zeros, manual_seed, …
#include "array/generator.h" // defines: generator_cuda_seed, …
#include "array/scalar.h"    // defines: scalar_int, scalar_real
#include "ops/create.h"      // defines: op_zeros, op_full, op_arange
#include "ops/random.h"      // defines: op_uniform_into, op_randperm, …
#include "tensor/backward.h" // defines: forget
#include "tensor/object.h"   // defines: finish, finish_in_place
#include <math.h>
#include <stdatomic.h>

Tensor *tensor_empty(DType dtype, Shape shape, Device device)
{
    Array out = {0};
    return finish(array_new(dtype, shape, device, &out), &out, NULL);
}

Tensor *tensor_zeros(DType dtype, Shape shape, Device device)
{
    Array out = {0};
    return finish(op_zeros(dtype, shape, device, &out), &out, NULL);
}

static Tensor *full(DType dtype, Shape shape, Scalar value, Device device)
{
    Array out = {0};
    return finish(op_full(dtype, shape, value, device, &out), &out, NULL);
}

Tensor *tensor_ones(DType dtype, Shape shape, Device device)
{
    return full(dtype, shape, scalar_int(1), device);
}

Tensor *tensor_full(DType dtype, Shape shape, double value, Device device)
{
    return full(dtype, shape, scalar_real(value), device);
}

/* Whole numbers stay exact integers: a range of INT64 has no rounding. */
static Scalar whole_or_real(double value)
{
    if (value == floor(value) && fabs(value) < 0x1p53)
        return scalar_int((int64_t)value);
    return scalar_real(value);
}

Tensor *tensor_arange(DType dtype, double start, double end, double step,
                      Device device)
{
    Array out = {0};
    return finish(op_arange(dtype, whole_or_real(start), whole_or_real(end),
                            whole_or_real(step), device, &out),
                  &out, NULL);
}

/* ---- random ------------------------------------------------------------- */

/* A fresh array that one of the fills below has filled, or not. */
static Tensor *filled(Status status, Array *out)
{
    if (status != OK)
        array_release(out);
    return finish(status, out, NULL);
}

Tensor *tensor_rand(DType dtype, Shape shape, Device device)
{
    Array out = {0};
    if (array_new(dtype, shape, device, &out) != OK)
        return NULL;
    return filled(op_uniform_into(&out, 0, 1), &out);
}

Tensor *tensor_randn(DType dtype, Shape shape, Device device)
{
    Array out = {0};
    if (array_new(dtype, shape, device, &out) != OK)
        return NULL;
    return filled(op_normal_into(&out, 0, 1), &out);
}

Tensor *tensor_randint(int64_t low, int64_t high, Shape shape, Device device)
{
    Array out = {0};
    if (array_new(INT64, shape, device, &out) != OK)
        return NULL;
    return filled(op_randint_into(&out, low, high), &out);
}

Tensor *tensor_randperm(int64_t n, Device device)
{
    Array out = {0};
    return finish(op_randperm(n, device, &out), &out, NULL);
}

/* In place: what x was before does not matter any more, and the new numbers
 * come from nowhere. */
static Tensor *fill(const char *function, Tensor *x, const NodeType *type,
                    Status (*op)(Array *, double, double), double a, double b)
{
    if (!CHECK_NOT_NULL_OF(function, x) || in_place_allowed(x, NULL, 0) != OK)
        return NULL;
    return finish_in_place(op(&x->array, a, b), x,
                           &(Step){.type = type, .inputs = {x}, .n_inputs = 1});
}

Tensor *tensor_uniform_(Tensor *x, double low, double high)
{
    static const NodeType type = {"UniformBackward", forget};
    return fill(__func__, x, &type, op_uniform_into, low, high);
}

Tensor *tensor_normal_(Tensor *x, double mean, double std)
{
    static const NodeType type = {"NormalBackward", forget};
    return fill(__func__, x, &type, op_normal_into, mean, std);
}

static Status bernoulli_into(Array *x, double p, double unused)
{
    (void)unused;
    return op_bernoulli_into(x, p);
}

Tensor *tensor_bernoulli_(Tensor *x, double p)
{
    static const NodeType type = {"BernoulliBackward", forget};
    return fill(__func__, x, &type, bernoulli_into, p, 0);
}

/* ---- seeds -----------------------------------------------------------------
 */

void manual_seed(int64_t seed)
{
    Generator *generator = generator_cpu_take();
    generator_seed(generator, (uint64_t)seed);
    generator_cpu_give();
    cuda_manual_seed_all(seed);
}

/* Asks CUDA nothing when CUDA has not been asked anything yet: the first
 * question would fix CUDA_VISIBLE_DEVICES. The seed then waits for the GPU
 * that is current when random numbers are first drawn. */
void cuda_manual_seed(int64_t seed)
{
    if (!cuda_is_initialized()) {
        generator_cuda_seed_current_later((uint64_t)seed);
        return;
    }
    int current = cuda_current_device();
    if (current >= 0)
        generator_cuda_seed(current, (uint64_t)seed);
}

void cuda_manual_seed_all(int64_t seed)
{
    generator_cuda_seed(-1, (uint64_t)seed);
}

/* ---- where tensors are born -------------------------------------------------
 */

static atomic_int default_kind = DEVICE_CPU;
static atomic_int default_index = -1;

void default_device_set(Device device)
{
    atomic_store(&default_kind, (int)device.kind);
    atomic_store(&default_index, device.index);
}

Device default_device(void)
{
    Device device = {(DeviceKind)atomic_load(&default_kind),
                     atomic_load(&default_index)};
    return device;
}

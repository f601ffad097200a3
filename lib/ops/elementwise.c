/* One number of the result from one number of each input. */
#include "ops/elementwise.h"           // defines: op_unary, op_binary
#include "ops/check.h"                 // defines: check_devices
#include "ops/copy.h"                  // defines: op_clone, op_copy_into
#include "ops/create.h"                // defines: op_full
#include "ops/kernels/elementwise.k.h" // defines: UnaryArgs and kernels
#include "ops/plan.h"                  // defines: plan_walk, PLAN_ALL

static const struct {
    const char *name; // in PyTorch's "… not implemented for"
    bool of_floats;   // integers become float32 first
    const Kernel *kernels[N_DTYPES];
} unary[N_UNARY] = {
    [UNARY_NEG] = {"neg", false, {PLAN_NUMBERS(neg)}},
    [UNARY_ABS] = {"abs_cpu", false, {PLAN_NUMBERS(abs)}},
    [UNARY_SQUARE] = {"pow", false, {PLAN_NUMBERS(square)}},
    [UNARY_RELU] = {"clamp_min_scalar_cpu", false, {PLAN_NUMBERS(relu)}},
    [UNARY_EXP] = {"exp", true, {PLAN_FLOATS(exp)}},
    [UNARY_LOG] = {"log", true, {PLAN_FLOATS(log)}},
    [UNARY_SQRT] = {"sqrt", true, {PLAN_FLOATS(sqrt)}},
    [UNARY_TANH] = {"tanh", true, {PLAN_FLOATS(tanh)}},
    [UNARY_SIGMOID] = {"sigmoid", true, {PLAN_FLOATS(sigmoid)}},
};

static const struct {
    const char *name;
    bool of_floats;
    bool compares; // the result is BOOL
    const Kernel *kernels[N_DTYPES];
} binary[N_BINARY] = {
    [BINARY_ADD] = {"add", false, false, {PLAN_ALL(add)}},
    [BINARY_SUB] = {"sub", false, false, {PLAN_NUMBERS(sub)}},
    [BINARY_MUL] = {"mul", false, false, {PLAN_ALL(mul)}},
    [BINARY_DIV] = {"div", true, false, {PLAN_FLOATS(div)}},
    [BINARY_POW] = {"pow", false, false, {PLAN_NUMBERS(pow)}},
    [BINARY_MAXIMUM] = {"maximum", false, false, {PLAN_ALL(maximum)}},
    [BINARY_MINIMUM] = {"minimum", false, false, {PLAN_ALL(minimum)}},
    [BINARY_EQ] = {"eq", false, true, {PLAN_ALL(eq)}},
    [BINARY_SAME] = {"same", false, true, {PLAN_ALL(same)}},
    [BINARY_NE] = {"ne", false, true, {PLAN_ALL(ne)}},
    [BINARY_LT] = {"lt", false, true, {PLAN_ALL(lt)}},
    [BINARY_LE] = {"le", false, true, {PLAN_ALL(le)}},
    [BINARY_GT] = {"gt", false, true, {PLAN_ALL(gt)}},
    [BINARY_GE] = {"ge", false, true, {PLAN_ALL(ge)}},
    [BINARY_RELU_BACKWARD] = {"threshold_backward",
                              true,
                              false,
                              {PLAN_FLOATS(relu_backward)}},
    [BINARY_TANH_BACKWARD] = {"tanh_backward",
                              true,
                              false,
                              {PLAN_FLOATS(tanh_backward)}},
    [BINARY_SIGMOID_BACKWARD] = {"sigmoid_backward",
                                 true,
                                 false,
                                 {PLAN_FLOATS(sigmoid_backward)}},
};

Status op_unary(Unary op, const Array *x, Array *out)
{
    if (op == UNARY_NEG && x->dtype == BOOL)
        return status_fail(
            ERR_RUNTIME,
            "Negation, the `-` operator, on a bool tensor is not supported. If "
            "you are trying to invert a mask, use the `~` or `logical_not()` "
            "operator instead.");
    if (op == UNARY_RELU && x->dtype == BOOL)
        return status_fail(ERR_RUNTIME,
                           "Boolean inputs not supported for relu");
    DType dtype = x->dtype;
    if (unary[op].of_floats && !dtype_is_floating(dtype))
        dtype = FLOAT32;
    if (op == UNARY_SQUARE && dtype == BOOL)
        dtype = INT64; // as x ** 2
    const Kernel *kernel = unary[op].kernels[dtype];
    if (!kernel)
        return status_fail(ERR_RUNTIME, "\"%s\" not implemented for '%s'",
                           unary[op].name, dtype_scalar_name(dtype));
    Array in = {0};
    Array result = {0};
    TRY(plan_cast(x, dtype, &in));
    Status status = array_new(dtype, x->shape, array_device(x), &result);
    if (status != OK)
        goto done;
    const Array *arrays[] = {&result, &in};
    UnaryArgs args = {array_data(&in), array_data(&result),
                      plan_walk(x->shape, arrays, 2)};
    status = kernel_run(array_device(x), kernel, &args,
                        plan_threads(&args.walk, 2, dtype));
    if (status == OK)
        *out = array_share(&result);
done:
    array_release(&in);
    array_release(&result);
    return status;
}

/* An operand: an array, or a number of the program's own (array NULL). */
typedef struct Operand {
    const Array *array;
    Scalar number;
} Operand;

/* Truths do not subtract. */
static Status check_bools(Binary op, bool a_is_bool, bool b_is_bool)
{
    if (op != BINARY_SUB || (!a_is_bool && !b_is_bool))
        return OK;
    if (a_is_bool && b_is_bool)
        return status_fail(
            ERR_RUNTIME,
            "Subtraction, the `-` operator, with two bool tensors is not "
            "supported. Use the `^` or `logical_xor()` operator instead.");
    return status_fail(
        ERR_RUNTIME,
        "Subtraction, the `-` operator, with a bool tensor is not supported. "
        "If you are trying to invert a mask, use the `~` or `logical_not()` "
        "operator instead.");
}

/* The dtype in which an op computes, from the promoted one; or a refusal. */
static Status compute_dtype(Binary op, DType promoted, DType *out)
{
    if (binary[op].of_floats && !dtype_is_floating(promoted))
        promoted = FLOAT32;
    if (!binary[op].kernels[promoted])
        return status_fail(ERR_RUNTIME, "\"%s\" not implemented for '%s'",
                           binary[op].name, dtype_scalar_name(promoted));
    *out = promoted;
    return OK;
}

/* a op b into `to`, which has the op's result dtype and the broadcast shape.
 * Both are in `dtype` and on to's device; b may be a number. */
static Status run(Binary op, DType dtype, const Array *a, Operand b, Array *to)
{
    const Array *arrays[] = {to, a, b.array};
    BinaryArgs args = {
        .a = array_data(a),
        .b = b.array ? array_data(b.array) : NULL,
        .out = array_data(to),
        .walk = plan_walk(to->shape, arrays, b.array ? 3 : 2),
        .real = plan_real(b.number, dtype),
        .integer = (int64_t)plan_bits(b.number, INT64),
    };
    return kernel_run(array_device(to), binary[op].kernels[dtype], &args,
                      plan_threads(&args.walk, b.array ? 3 : 2, dtype));
}

/* Bring an array operand to the device and dtype of the computation. A guest
 * from the CPU becomes a number: then *array is {0}. */
static Status bring(Operand *x, DType dtype, Device device, Array *array)
{
    if (!x->array)
        return OK;
    if (!device_equal(array_device(x->array), device)) {
        x->number = plan_scalar_of(x->array);
        x->array = NULL;
        return OK;
    }
    if (x->array->dtype == dtype)
        return OK;
    TRY(plan_cast(x->array, dtype, array));
    x->array = array;
    return OK;
}

/* The kernel wants an array on the left: make one of a number. */
static Status need_array(Operand *x, DType dtype, Device device, Array *array)
{
    if (x->array)
        return OK;
    TRY(op_full(dtype, shape_scalar(), x->number, device, array));
    x->array = array;
    return OK;
}

static Status compute(Binary op, DType dtype, Device device, Operand a,
                      Operand b, Array *to)
{
    Array left = {0};
    Array right = {0};
    Status status = bring(&a, dtype, device, &left);
    if (status == OK)
        status = bring(&b, dtype, device, &right);
    if (status == OK)
        status = need_array(&a, dtype, device, &left);
    if (status == OK)
        status = run(op, dtype, a.array, b, to);
    array_release(&left);
    array_release(&right);
    return status;
}

static Status compute_new(Binary op, DType promoted, Shape shape, Device device,
                          Operand a, Operand b, Array *out)
{
    DType dtype;
    Array result = {0};
    TRY(compute_dtype(op, promoted, &dtype));
    TRY(array_new(binary[op].compares ? BOOL : dtype, shape, device, &result));
    Status status = compute(op, dtype, device, a, b, &result);
    if (status == OK)
        *out = result;
    else
        array_release(&result);
    return status;
}

/* Are both in C order, of one shape, dtype and place? Most are. */
static bool are_alike(const Array *a, const Array *b)
{
    return a->dtype == b->dtype &&
           device_equal(array_device(a), array_device(b)) &&
           shape_equal(a->shape, b->shape) && array_is_contiguous(a) &&
           array_is_contiguous(b);
}

/* Then there is nothing to promote, to bring or to stretch: a small op's time
 * is all in such questions. */
static Status compute_alike(Binary op, const Array *a, const Array *b,
                            Array *out)
{
    DType dtype = a->dtype;
    Device device = array_device(a);
    TRY(array_new(binary[op].compares ? BOOL : dtype, a->shape, device, out));
    BinaryArgs args; // but for the walk's further dims, all is set
    args.a = array_data(a);
    args.b = array_data(b);
    args.out = array_data(out);
    args.real = args.more = 0;
    args.integer = 0;
    int64_t n = array_count(a);
    plan_row(&args.walk, n);
    if (device_is_cuda(device))
        n = plan_threads(&args.walk, 3, dtype);
    Status status = kernel_run(device, binary[op].kernels[dtype], &args, n);
    if (status != OK)
        array_release(out);
    return status;
}

Status op_binary(Binary op, const Array *a, const Array *b, Array *out)
{
    if (binary[op].kernels[a->dtype] && are_alike(a, b))
        return compute_alike(op, a, b, out);
    const Array *arrays[] = {a, b};
    Device device;
    Shape shape;
    TRY(check_devices(arrays, 2, &device));
    TRY(check_bools(op, a->dtype == BOOL, b->dtype == BOOL));
    TRY(check_broadcast(a->shape, b->shape, &shape));
    return compute_new(op, check_result_dtype(a, b), shape, device,
                       (Operand){a, scalar_int(0)}, (Operand){b, scalar_int(0)},
                       out);
}

/* x ** -1 of integers has no integer result. */
static Status check_power(Binary op, DType dtype, Scalar exponent)
{
    if (op == BINARY_POW && !dtype_is_floating(dtype) &&
        exponent.kind == SCALAR_INT && exponent.integer < 0)
        return status_fail(
            ERR_RUNTIME,
            "Integers to negative integer powers are not allowed.");
    return OK;
}

Status op_binary_scalar(Binary op, const Array *a, Scalar b, Array *out)
{
    TRY(check_power(op, a->dtype, b));
    TRY(check_bools(op, a->dtype == BOOL, b.kind == SCALAR_BOOL));
    return compute_new(op, check_result_dtype_scalar(a, b), a->shape,
                       array_device(a), (Operand){a, scalar_int(0)},
                       (Operand){NULL, b}, out);
}

Status op_scalar_binary(Binary op, Scalar a, const Array *b, Array *out)
{
    TRY(check_bools(op, a.kind == SCALAR_BOOL, b->dtype == BOOL));
    return compute_new(op, check_result_dtype_scalar(b, a), b->shape,
                       array_device(b), (Operand){NULL, a},
                       (Operand){b, scalar_int(0)}, out);
}

/* x becomes x op y; dtype and shape are checked. */
static Status compute_into(Binary op, DType promoted, Array *x, Operand y)
{
    DType dtype;
    TRY(compute_dtype(op, promoted, &dtype));
    DType made = binary[op].compares ? BOOL : dtype;
    TRY(plan_check_cast(made, x->dtype));
    Operand self = {x, scalar_int(0)};
    Array copy = {0};
    // Another window on the same bytes would change while it is read.
    if (y.array && array_shares(x, y.array)) {
        TRY(op_clone(y.array, &copy));
        y.array = &copy;
    }
    Status status;
    if (made == x->dtype && dtype == x->dtype) {
        status = compute(op, dtype, array_device(x), self, y, x);
    } else {
        Array result = {0};
        status = array_new(made, x->shape, array_device(x), &result);
        if (status == OK)
            status = compute(op, dtype, array_device(x), self, y, &result);
        if (status == OK)
            status = op_copy_into(x, &result);
        array_release(&result);
    }
    array_release(&copy);
    return status;
}

/* Can y be broadcast to x, on x's device? */
static Status check_into(const Array *x, const Array *y)
{
    const Array *arrays[] = {x, y};
    Device device;
    TRY(check_devices(arrays, 2, &device));
    if (!device_equal(device, array_device(x)))
        return status_fail(
            ERR_DEVICE,
            "output with device %s doesn't match the desired device %s",
            device_str(array_device(x)).text, device_str(device).text);
    return check_broadcast_into(x->shape, y->shape);
}

Status op_binary_into(Binary op, Array *x, const Array *y)
{
    TRY(plan_check_writable(x));
    TRY(check_into(x, y));
    TRY(check_bools(op, x->dtype == BOOL, y->dtype == BOOL));
    return compute_into(op, check_result_dtype(x, y), x,
                        (Operand){y, scalar_int(0)});
}

Status op_binary_scalar_into(Binary op, Array *x, Scalar y)
{
    TRY(plan_check_writable(x));
    TRY(check_power(op, x->dtype, y));
    TRY(check_bools(op, x->dtype == BOOL, y.kind == SCALAR_BOOL));
    return compute_into(op, check_result_dtype_scalar(x, y), x,
                        (Operand){NULL, y});
}

/* y as x's numbers are: on its device, in its dtype, and not on its bytes. */
static Status beside(const Array *x, const Array *y, Array *out)
{
    if (!device_equal(array_device(x), array_device(y)))
        return op_full(x->dtype, shape_scalar(), plan_scalar_of(y),
                       array_device(x), out);
    return array_shares(x, y) ? op_clone(y, out) : plan_cast(y, x->dtype, out);
}

/* In x's own dtype, y fits it. */
static Status add_scaled(const Kernel *kernel, Array *x, const Array *y,
                         double alpha)
{
    Array other = {0};
    TRY(beside(x, y, &other));
    const Array *arrays[] = {x, x, &other};
    BinaryArgs args = {
        .a = array_data(x),
        .b = array_data(&other),
        .out = array_data(x),
        .walk = plan_walk(x->shape, arrays, 3),
        .real = plan_real(scalar_real(alpha), x->dtype),
    };
    Status status = kernel_run(array_device(x), kernel, &args,
                               plan_threads(&args.walk, 3, x->dtype));
    array_release(&other);
    return status;
}

Status op_add_scaled_into(Array *x, const Array *y, double alpha)
{
    static const Kernel *const kernels[N_DTYPES] = {PLAN_FLOATS(add_scaled)};
    TRY(plan_check_writable(x));
    TRY(check_into(x, y));
    DType dtype = check_result_dtype(x, y);
    TRY(plan_check_cast(dtype, x->dtype));
    if (!kernels[dtype])
        return status_fail(ERR_RUNTIME,
                           "For integral input tensors, argument alpha must "
                           "not be a floating point number.");
    if (dtype == x->dtype)
        return add_scaled(kernels[dtype], x, y, alpha);
    Array wide = {0}; // y is the wider one: rounded once, at the end
    TRY(op_cast(x, dtype, &wide));
    Status status = add_scaled(kernels[dtype], &wide, y, alpha);
    if (status == OK)
        status = op_copy_into(x, &wide);
    array_release(&wide);
    return status;
}

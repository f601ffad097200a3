/* Every gradient against finite differences, in float64, on the CPU and on a
 * GPU, which must also agree bit for bit. */
#include "check.h"
#include <math.h>

enum { MOST = 64 };

/* A function of up to three tensors, whose shapes are given. */
typedef struct Case {
    const char *name;
    Tensor *(*f)(Tensor *const *x);
    int n_inputs;
    Shape shapes[3];
} Case;

/* 0.3 … 1.7, none equal: away from the kinks of relu and max, and from 0. */
static void numbers_for(int input, double *out, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        out[i] = 0.3 + 1.4 * fmod(0.618034 * (double)(i + 1 + 7 * input), 1);
}

/* A loss that weighs every element of the result differently. */
static Tensor *loss_of(const Case *c, Tensor *const *x)
{
    Tensor *y = c->f(x);
    if (y == NULL)
        return NULL;
    double weights[MOST * 4];
    numbers_for(5, weights, tensor_numel(y));
    Tensor *w = tensor_new(FLOAT64, tensor_shape(y), weights, tensor_device(y));
    return tensor_sum(tensor_mul(y, w));
}

static double value_at(const Case *c, double numbers[3][MOST])
{
    Tensor *x[3];
    scope_open();
    for (int i = 0; i < c->n_inputs; i++)
        x[i] = tensor_new(FLOAT64, c->shapes[i], numbers[i], CPU);
    double value = tensor_item(loss_of(c, x));
    scope_close();
    return value;
}

static void gradients_at(const Case *c, double numbers[3][MOST], Device place,
                         double out[3][MOST])
{
    Tensor *x[3];
    scope_open();
    for (int i = 0; i < c->n_inputs; i++) {
        x[i] = tensor_new(FLOAT64, c->shapes[i], numbers[i], place);
        tensor_set_requires_grad(x[i], true);
    }
    if (tensor_backward(loss_of(c, x)) != OK)
        fail_msg("%s: %s", c->name, status_sentence());
    for (int i = 0; i < c->n_inputs; i++)
        assert_int_equal(tensor_read(tensor_grad(x[i]), out[i], MOST), OK);
    scope_close();
}

static void check_case(const Case *c)
{
    double numbers[3][MOST], here[3][MOST], there[3][MOST];
    for (int i = 0; i < c->n_inputs; i++)
        numbers_for(i, numbers[i], shape_count(c->shapes[i]));
    gradients_at(c, numbers, CPU, here);
    gradients_at(c, numbers, GPU(2), there);
    for (int i = 0; i < c->n_inputs; i++) {
        int64_t n = shape_count(c->shapes[i]);
        assert_memory_equal(here[i], there[i], (size_t)n * sizeof(double));
        for (int64_t j = 0; j < n; j++) {
            double kept = numbers[i][j], step = 1e-6;
            numbers[i][j] = kept + step;
            double above = value_at(c, numbers);
            numbers[i][j] = kept - step;
            double below = value_at(c, numbers);
            numbers[i][j] = kept;
            double slope = (above - below) / (2 * step);
            if (fabs(slope - here[i][j]) > 1e-6 * (1 + fabs(slope)))
                fail_msg("%s: gradient %d of input %d is %.9g, not %.9g",
                         c->name, (int)j, i, here[i][j], slope);
        }
    }
}

#define FUNCTION(name, expression)                                             \
    static Tensor *name(Tensor *const *x)                                      \
    {                                                                          \
        return expression;                                                     \
    }
FUNCTION(add, tensor_add(x[0], x[1]))
FUNCTION(sub, tensor_sub(x[0], x[1]))
FUNCTION(mul, tensor_mul(x[0], x[1]))
FUNCTION(divide, tensor_div(x[0], x[1]))
FUNCTION(same_twice, tensor_mul(x[0], x[0]))
FUNCTION(neg, tensor_neg(x[0]))
FUNCTION(add_number, tensor_add_real(x[0], 3))
FUNCTION(mul_number, tensor_mul_real(x[0], 3))
FUNCTION(div_number, tensor_div_real(x[0], 3))
FUNCTION(square, tensor_pow(x[0], 2))
FUNCTION(power_0, tensor_pow(x[0], 0))
FUNCTION(power_1_5, tensor_pow_real(x[0], 1.5))
FUNCTION(exponential, tensor_exp(x[0]))
FUNCTION(logarithm, tensor_log(x[0]))
FUNCTION(root, tensor_sqrt(x[0]))
FUNCTION(relu, tensor_relu(tensor_add_real(x[0], -1)))
FUNCTION(hyperbolic, tensor_tanh(x[0]))
FUNCTION(sigmoid, tensor_sigmoid(x[0]))
FUNCTION(sum, tensor_sum(x[0]))
FUNCTION(sum_0, tensor_sum_dim(x[0], 0, false))
FUNCTION(sum_last, tensor_sum_dim(x[0], -1, true))
FUNCTION(mean, tensor_mean(x[0]))
FUNCTION(mean_1, tensor_mean_dim(x[0], 1, false))
FUNCTION(largest, tensor_max(x[0]))
FUNCTION(matmul, tensor_matmul(x[0], x[1]))
FUNCTION(linear, tensor_linear(x[0], x[1], x[2]))
FUNCTION(linear_plain, tensor_linear(x[0], x[1], NULL))
FUNCTION(reshaped, tensor_reshape(x[0], shape(3, 2)))
FUNCTION(transposed, tensor_reshape(tensor_transpose(x[0], 0, 1), shape(6)))
FUNCTION(sliced, tensor_slice(x[0], 1, 1, 3))
FUNCTION(selected, tensor_select(x[0], 1, -1))
FUNCTION(unsqueezed, tensor_unsqueeze(x[0], 1))
FUNCTION(expanded, tensor_expand(x[0], shape(3, 2, 3)))
FUNCTION(contiguous, tensor_contiguous(tensor_transpose(x[0], 0, 1)))
FUNCTION(joined, tensor_cat((Tensor *[]){x[0], x[1], x[0]}, 3, -1))
FUNCTION(stacked, tensor_stack((Tensor *[]){x[0], x[1]}, 2, 1))
FUNCTION(cloned, tensor_clone(x[0]))

static Tensor *second_piece(Tensor *const *x)
{
    Tensor *pieces[2];
    if (tensor_chunk(x[0], 2, 1, pieces) != 2)
        return NULL;
    return tensor_mul(pieces[1], pieces[1]);
}

static Tensor *picked(Tensor *const *x)
{
    Tensor *index =
        tensor_new(INT64, shape(4), ints(1, 0, 1, 1), tensor_device(x[0]));
    return tensor_index_select(x[0], 0, index);
}

static Tensor *picked_columns(Tensor *const *x)
{
    Tensor *index =
        tensor_new(INT64, shape(2), ints(2, 2), tensor_device(x[0]));
    return tensor_transpose(tensor_index_select(x[0], -1, index), 0, 1);
}

static Tensor *moved(Tensor *const *x)
{
    Tensor *far = tensor_to(tensor_mul(x[0], x[0]), GPU(5));
    return tensor_to(tensor_exp(far), tensor_device(x[0]));
}

static Tensor *changed_in_place(Tensor *const *x)
{
    Tensor *y = tensor_mul_real(x[0], 2);
    return tensor_add_scaled_(tensor_mul_real_(tensor_add_(y, x[1]), 3), x[1],
                              0.5);
}

static Tensor *two_layers(Tensor *const *x)
{
    Tensor *hidden = tensor_tanh(tensor_matmul(x[0], x[1]));
    return tensor_sigmoid(tensor_matmul(hidden, tensor_transpose(x[1], 0, 1)));
}

static void check_all(const Case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++)
        check_case(&cases[i]);
}

static void of_single_numbers(void **state)
{
    (void)state;
    Shape s = shape(2, 3), v = shape(3);
    const Case cases[] = {
        {"add", add, 2, {s, s}},
        {"add, stretched", add, 2, {s, v}},
        {"sub, stretched", sub, 2, {v, s}},
        {"mul", mul, 2, {s, s}},
        {"mul, stretched", mul, 2, {shape(2, 1), s}},
        {"div, stretched", divide, 2, {s, v}},
        {"x * x", same_twice, 1, {s}},
        {"neg", neg, 1, {s}},
        {"x + 3", add_number, 1, {s}},
        {"x * 3", mul_number, 1, {s}},
        {"x / 3", div_number, 1, {s}},
        {"x ** 2", square, 1, {s}},
        {"x ** 0", power_0, 1, {s}},
        {"x ** 1.5", power_1_5, 1, {s}},
        {"exp", exponential, 1, {s}},
        {"log", logarithm, 1, {s}},
        {"sqrt", root, 1, {s}},
        {"relu", relu, 1, {s}},
        {"tanh", hyperbolic, 1, {s}},
        {"sigmoid", sigmoid, 1, {s}},
    };
    check_all(cases, sizeof cases / sizeof *cases);
}

static void of_many_numbers(void **state)
{
    (void)state;
    Shape s = shape(2, 3), v = shape(3), t = shape(3, 2);
    const Case cases[] = {
        {"sum", sum, 1, {s}},
        {"sum along 0", sum_0, 1, {s}},
        {"sum along -1", sum_last, 1, {s}},
        {"mean", mean, 1, {s}},
        {"mean along 1", mean_1, 1, {s}},
        {"max", largest, 1, {s}},
        {"dot", matmul, 2, {v, v}},
        {"mv", matmul, 2, {s, v}},
        {"vm", matmul, 2, {v, t}},
        {"mm", matmul, 2, {s, t}},
        {"bmm", matmul, 2, {shape(2, 2, 3), shape(2, 3, 2)}},
        {"bmm, stretched", matmul, 2, {shape(2, 2, 3), t}},
        {"batch of mv", matmul, 2, {shape(2, 2, 3), v}},
        {"batch of vm", matmul, 2, {v, shape(2, 3, 2)}},
        {"linear", linear, 3, {s, shape(4, 3), shape(4)}},
        {"linear of a vector", linear, 3, {v, shape(4, 3), shape(4)}},
        {"linear of a batch", linear, 3, {shape(2, 2, 2), t, v}},
        {"linear without bias", linear_plain, 2, {s, shape(4, 3)}},
        {"reshape", reshaped, 1, {s}},
        {"transpose", transposed, 1, {s}},
        {"slice", sliced, 1, {s}},
        {"select", selected, 1, {s}},
        {"unsqueeze", unsqueezed, 1, {s}},
        {"expand", expanded, 1, {shape(2, 1)}},
        {"contiguous", contiguous, 1, {s}},
        {"cat", joined, 2, {s, shape(2, 2)}},
        {"stack", stacked, 2, {s, s}},
        {"clone", cloned, 1, {s}},
        {"chunk", second_piece, 1, {s}},
        {"index_select", picked, 1, {s}},
        {"index_select along -1", picked_columns, 1, {s}},
        {"to", moved, 1, {s}},
        {"in place", changed_in_place, 2, {s, v}},
        {"two layers", two_layers, 2, {s, t}},
    };
    check_all(cases, sizeof cases / sizeof *cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {scoped_test(of_single_numbers),
                                       scoped_test(of_many_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

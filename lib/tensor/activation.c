/* Functions of one number: exp, log, sqrt, relu, tanh, sigmoid. Most gradients
 * are told by the result, which the step then saves. */
#include "ops/elementwise.h"   // defines: op_unary, op_binary
#include "tensor/backward.h"   // defines: made
#include "tensor/functional.h" // defines: tensor_exp, tensor_relu, …
#include "tensor/object.h"     // defines: finish, Step

typedef enum Saves { SAVES_INPUT, SAVES_RESULT } Saves;

static Tensor *unary(const char *function, Unary op, const NodeType *type,
                     Tensor *x, Saves saves)
{
    if (!CHECK_NOT_NULL_OF(function, x))
        return NULL;
    Array out = {0};
    return finish(op_unary(op, &x->array, &out), &out,
                  &(Step){.type = type,
                          .inputs = {x},
                          .n_inputs = 1,
                          .saved = {x},
                          .n_saved = saves == SAVES_INPUT,
                          .saves_result = saves == SAVES_RESULT});
}

static Status exp_backward(const Node *node, Tensor *const *grads_out,
                           Tensor **grads_in)
{
    return made(grads_in[0] = tensor_mul(grads_out[0], node_saved(node, 0)));
}

Tensor *tensor_exp(Tensor *x)
{
    static const NodeType type = {"ExpBackward", exp_backward};
    return unary(__func__, UNARY_EXP, &type, x, SAVES_RESULT);
}

static Status log_backward(const Node *node, Tensor *const *grads_out,
                           Tensor **grads_in)
{
    return made(grads_in[0] = tensor_div(grads_out[0], node_saved(node, 0)));
}

Tensor *tensor_log(Tensor *x)
{
    static const NodeType type = {"LogBackward", log_backward};
    return unary(__func__, UNARY_LOG, &type, x, SAVES_INPUT);
}

/* d sqrt(x) = dx / (2 sqrt(x)) */
static Status sqrt_backward(const Node *node, Tensor *const *grads_out,
                            Tensor **grads_in)
{
    Tensor *twice = tensor_mul_int(node_saved(node, 0), 2);
    return made(grads_in[0] = tensor_div(grads_out[0], twice));
}

Tensor *tensor_sqrt(Tensor *x)
{
    static const NodeType type = {"SqrtBackward", sqrt_backward};
    return unary(__func__, UNARY_SQRT, &type, x, SAVES_RESULT);
}

/* The op of a gradient that is told by the result alone. */
static Status by_result(Binary op, const Node *node, Tensor *gradient,
                        Tensor **out)
{
    Array array = {0};
    Status status =
        op_binary(op, &gradient->array, &node_saved(node, 0)->array, &array);
    return made(*out = finish(status, &array, NULL));
}

static Status relu_backward(const Node *node, Tensor *const *grads_out,
                            Tensor **grads_in)
{
    return by_result(BINARY_RELU_BACKWARD, node, grads_out[0], grads_in);
}

Tensor *tensor_relu(Tensor *x)
{
    static const NodeType type = {"ReluBackward0", relu_backward};
    return unary(__func__, UNARY_RELU, &type, x, SAVES_RESULT);
}

static Status tanh_backward(const Node *node, Tensor *const *grads_out,
                            Tensor **grads_in)
{
    return by_result(BINARY_TANH_BACKWARD, node, grads_out[0], grads_in);
}

Tensor *tensor_tanh(Tensor *x)
{
    static const NodeType type = {"TanhBackward", tanh_backward};
    return unary(__func__, UNARY_TANH, &type, x, SAVES_RESULT);
}

static Status sigmoid_backward(const Node *node, Tensor *const *grads_out,
                               Tensor **grads_in)
{
    return by_result(BINARY_SIGMOID_BACKWARD, node, grads_out[0], grads_in);
}

Tensor *tensor_sigmoid(Tensor *x)
{
    static const NodeType type = {"SigmoidBackward", sigmoid_backward};
    return unary(__func__, UNARY_SIGMOID, &type, x, SAVES_RESULT);
}

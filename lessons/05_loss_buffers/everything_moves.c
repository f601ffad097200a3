/* Lesson 05, beside the worked program: what moves, and what stays.
 *
 * A tensor, a layer, a loss and a Sequential all have .cuda. A module takes its
 * parameters and its buffers along, children included, and nothing else.
 *
 * run   build/sim/lessons/05_loss_buffers/everything_moves  (machine: v100x8)
 */
#include "device/device.h" // defines: device_cpu, device_str
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say
#include "nn/layers.h"     // defines: linear_new, batch_norm_1d_new
#include "nn/loss.h"       // defines: cross_entropy_loss_new
#include "tensor/create.h" // defines: tensor_ones
#include "tensor/tensor.h" // defines: tensor_cuda, tensor_device

static void where(const char *name, const Tensor *x)
{
    say("%-30s %s", name, device_str(tensor_device(x)).text);
}

//> plain_attribute
/* A module of our own that keeps a tensor in a plain field, unregistered. */
typedef struct ScaleState {
    Tensor *factor;
} ScaleState;

static Tensor *pass(Module *self, Tensor *input)
{
    (void)self;
    return input;
}

static const ModuleType SCALE = {
    .name = "Scale", .forward = pass, .state_bytes = sizeof(ScaleState)};
//< plain_attribute

int main(void)
{
    lesson_begin("05_loss_buffers");
    need_devices(2);

    //> four
    Tensor *tensor = tensor_ones(FLOAT32, shape(2), device_cpu());
    tensor = tensor_cuda(tensor, 1); // assigned: a new tensor
    Module *layer = linear_new(3, 2);
    module_cuda(layer, 1); // not assigned: in place
    CrossEntropyOptions options = cross_entropy_defaults();
    options.weight = tensor_ones(FLOAT32, shape(2), device_cpu());
    Module *loss = cross_entropy_loss_new(options);
    module_cuda(loss, 1);
    Module *net = sequential_new();
    sequential_add(net, linear_new(3, 4));
    sequential_add(net, batch_norm_1d_new(4));
    module_cuda(net, 1);
    where("tensor", tensor);
    where("layer: weight", module_parameter(layer, "weight"));
    where("loss: weight", module_buffer(loss, "weight"));
    where("net: 0.weight", module_parameter(net, "0.weight"));
    where("net: 1.running_mean", module_buffer(net, "1.running_mean"));
    where("net: 1.num_batches_tracked",
          module_buffer(net, "1.num_batches_tracked"));
    // expect: tensor                         cuda:1
    // expect: layer: weight                  cuda:1
    // expect: loss: weight                   cuda:1
    // expect: net: 0.weight                  cuda:1
    // expect: net: 1.running_mean            cuda:1
    // expect: net: 1.num_batches_tracked     cuda:1
    //< four

    //> stays
    Module *scale = module_new(&SCALE);
    ScaleState *state = module_state(scale);
    state->factor = tensor_ones(FLOAT32, shape(2), device_cpu());
    module_add_buffer(scale, "shift",
                      tensor_ones(FLOAT32, shape(2), device_cpu()));
    module_cuda(scale, 1);
    where("scale: a registered buffer", module_buffer(scale, "shift"));
    where("scale: a plain field", state->factor);
    // expect: scale: a registered buffer     cuda:1
    // expect: scale: a plain field           cpu
    //< stays
    return lesson_end();
}

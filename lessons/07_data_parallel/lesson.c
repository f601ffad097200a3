/* Lesson 07: one batch, several GPUs.
 *
 * A network of three layers says in its forward how many samples it was given.
 * Wrapped in DataParallel it is called once on each visible GPU.
 *
 * run   CUDA_VISIBLE_DEVICES=0,1 build/sim/lessons/07_data_parallel/lesson
 *       (machine: v100x8)
 * book  book/07_data_parallel.md
 */
#include "lesson/lesson.h"          // defines: lesson_begin, lesson_end, say
#include "device/device.h"          // defines: cuda_device_count
#include "nn/layers.h"              // defines: linear_new_without_bias
#include "parallel/data_parallel.h" // defines: data_parallel_new
#include "tensor/create.h"          // defines: tensor_randn
#include "tensor/functional.h"      // defines: tensor_relu
#include <inttypes.h>
#include <stdlib.h>

//> foonet
/* Three times Linear and relu, in a list called "linears". */
static Tensor *foo_forward(Module *self, Tensor *x)
{
    say("batch size in forward: %" PRId64, tensor_size(x, 0));
    Module *linears = module_child(self, "linears");
    for (int i = 0; i < module_n_children(linears); i++)
        x = tensor_relu(module_forward(module_child_at(linears, i), x));
    return x;
}

static const ModuleType FOO_NET = {.name = "FooNet", .forward = foo_forward};

static Module *foo_net_new(int64_t neural_num, int layers)
{
    Module *linears = sequential_new();
    for (int i = 0; i < layers; i++)
        sequential_add(linears,
                       linear_new_without_bias(neural_num, neural_num));
    Module *net = module_new(&FOO_NET);
    module_add_child(net, "linears", linears);
    return net;
}
//< foonet

int main(void)
{
    lesson_begin("07_data_parallel");
    need_devices(2);
    //> run
    Tensor *inputs =
        tensor_cuda(tensor_randn(FLOAT32, shape(16, 3), device_cpu()), 0);
    Module *net = foo_net_new(3, 3);
    Module *parallel = data_parallel_new(net, (DataParallelOptions){0});
    module_cuda(parallel, 0);
    Tensor *outputs = module_forward(parallel, inputs);
    // expect: batch size in forward: 8
    // expect: batch size in forward: 8
    say("model outputs.size: %s", shape_str(tensor_shape(outputs)).text);
    // expect: model outputs.size: torch.Size([16, 3])
    //< run

    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    say("CUDA_VISIBLE_DEVICES :%s", visible ? visible : "(not set)");
    say("device_count :%d", cuda_device_count());
    // expect: CUDA_VISIBLE_DEVICES :0,1
    // expect: device_count :2
    return lesson_end();
}

/* Lesson 02, beside the worked program: the same object, or a new one?
 *
 * tensor_to copies when something has to change, and returns its argument when
 * nothing does. It never moves a tensor in place.
 *
 * run   build/sim/lessons/02_tensor_transfer/same_or_new
 *       (machines: v100x4, none)
 */
#include "device/device.h" // defines: cuda_is_available, device_str
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, py_bool, say
#include "tensor/create.h" // defines: tensor_empty, tensor_ones
#include "tensor/tensor.h" // defines: tensor_id, tensor_is_cuda, tensor_to
#include <inttypes.h>

static void describe(const char *name, const Tensor *x)
{
    say("%s:", name);
    say("device: %s is_cuda: %s id: %" PRIu64,
        device_str(tensor_device(x)).text, py_bool(tensor_is_cuda(x)),
        tensor_id(x));
}

int main(void)
{
    lesson_begin("02_tensor_transfer");
    //> ids
    Device device = cuda_is_available() ? device_cuda(0) : device_cpu();
    say("%s", device_str(device).text);
    Tensor *x_cpu = tensor_ones(FLOAT32, shape(3, 3), device_cpu());
    Tensor *x_gpu = tensor_to(x_cpu, device);
    describe("x_cpu", x_cpu);
    describe("x_gpu", x_gpu);
    say("the same object: %s", py_bool(tensor_id(x_cpu) == tensor_id(x_gpu)));
    //< ids

    //> again
    Tensor *again = tensor_to(x_gpu, device); // already there
    say("moved to where it is: the same object: %s", py_bool(again == x_gpu));
    Tensor *clone = tensor_clone(x_gpu); // x_gpu.clone()
    say("cloned: the same object: %s", py_bool(clone == x_gpu));
    Tensor *home = tensor_cpu(x_gpu); // back again
    say("home: the object we began with: %s", py_bool(home == x_cpu));
    //< again

    need_devices(1);
    //> forgotten
    Tensor *tensor = tensor_empty(FLOAT32, shape(3, 4), device_cpu());
    Tensor *moved = tensor_cuda(tensor, 0); // tensor.cuda(0)
    say("tensor.is_cuda: %s", py_bool(tensor_is_cuda(tensor)));
    say("the new one: %s", py_bool(tensor_is_cuda(moved)));
    tensor = tensor_cuda(tensor, -1); // tensor = tensor.cuda()
    say("tensor.is_cuda: %s", py_bool(tensor_is_cuda(tensor)));
    //< forgotten
    return lesson_end();
}

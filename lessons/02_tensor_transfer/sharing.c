/* Lesson 02, beside the worked program: an array and a tensor, one memory.
 *
 * A tensor on the CPU can be a view of a host array: what one writes, the
 * other reads. A tensor on a GPU cannot: its bytes are elsewhere.
 *
 * run   build/sim/lessons/02_tensor_transfer/sharing
 */
#include "base/alloc.h"        // defines: mem_free
#include "device/device.h"     // defines: device_cuda
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, say
#include "tensor/format.h"     // defines: numpy_str, tensor_repr
#include "tensor/functional.h" // defines: tensor_add_int, tensor_add_int_
#include "tensor/tensor.h"     // defines: tensor_from_host, tensor_to

static void both(const char *when, const Tensor *t, const float *n)
{
    char *tensor = tensor_repr(t);
    char *array = numpy_str(FLOAT32, shape(5), n);
    say("%s: %s %s", when, tensor, array);
    mem_free(tensor);
    mem_free(array);
}

int main(void)
{
    lesson_begin("02_tensor_transfer");
    //> share
    float n[5] = {1, 1, 1, 1, 1};
    Tensor *t = tensor_from_host(FLOAT32, shape(5), n); // no copy: a view
    both("before", t, n);
    // expect: before: tensor([1., 1., 1., 1., 1.]) [1. 1. 1. 1. 1.]
    tensor_add_int_(t, 2); // t.add_(2): in place
    both("the tensor changes, the array too", t, n);
    // expect: the tensor changes, the array too: tensor([3., 3., 3., 3., 3.]) [3. 3. 3. 3. 3.]
    for (int i = 0; i < 5; i++)
        n[i] += 2; // np.add(n, 2, out=n)
    both("the array changes, the tensor too", t, n);
    // expect: the array changes, the tensor too: tensor([5., 5., 5., 5., 5.]) [5. 5. 5. 5. 5.]
    //< share

    //> apart
    Tensor *fresh = tensor_add_int(t, 2); // t + 2: a new tensor, its own bytes
    both("t + 2 is new, the array stays", fresh, n);
    // expect: t + 2 is new, the array stays: tensor([7., 7., 7., 7., 7.]) [5. 5. 5. 5. 5.]
    say("shares memory with t: %s", py_bool(tensor_shares_storage(fresh, t)));
    // expect: shares memory with t: False
    //< apart

    need_devices(1);
    //> moved
    t = tensor_to(t, device_cuda(0)); // t = t.to('cuda'): a copy over there
    show(t);
    // expect: tensor([5., 5., 5., 5., 5.], device='cuda:0')
    n[0] = 0; // does t see it?
    both("apart", t, n);
    // expect: apart: tensor([5., 5., 5., 5., 5.], device='cuda:0') [0. 5. 5. 5. 5.]
    //< moved
    return lesson_end();
}

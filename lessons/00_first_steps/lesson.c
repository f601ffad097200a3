/* Lesson 00: how to read a lesson.
 *
 * You make a tensor, compute with it, watch a mistake travel to the end of an
 * expression, and see who frees what you made.
 *
 * run   build/sim/lessons/00_first_steps/lesson
 * book  book/00_first_steps.md
 */
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, say, show
#include "device/device.h"     // defines: device_cpu, device_parse
#include "tensor/create.h"     // defines: manual_seed, tensor_rand
#include "tensor/functional.h" // defines: tensor_add, tensor_mul_int
#include "tensor/scope.h"      // defines: scope_open, scope_close, tensor_keep
#include "tensor/tensor.h"     // defines: tensor_new
#include <inttypes.h>

int main(void)
{
    lesson_begin("00_first_steps");
    //> first
    int64_t numbers[] = {1, 2, 3};
    Tensor *x = tensor_new(INT64, shape(3), numbers, device_cpu());
    show(x);
    // expect: tensor([1, 2, 3])
    //< first

    //> expression
    Tensor *y = tensor_add_int(tensor_mul_int(x, 10), 1);
    show(y);
    show(x); // what is x now?
    // expect: tensor([11, 21, 31])
    // expect: tensor([1, 2, 3])
    //< expression

    //> seed
    manual_seed(0); // the same numbers as torch.manual_seed(0)
    show(tensor_rand(FLOAT32, shape(2, 3), device_cpu()));
    // expect: tensor([[0.4963, 0.7682, 0.0885],
    // expect:         [0.1320, 0.3074, 0.6341]])
    //< seed

    //> failure
    int64_t four_numbers[] = {1, 2, 3, 4};
    Tensor *four = tensor_new(INT64, shape(4), four_numbers, device_cpu());
    Tensor *sum = tensor_add(x, four);      // three numbers and four
    Tensor *twice = tensor_mul_int(sum, 2); // nobody has looked at sum
    say("sum is NULL: %s, twice is NULL: %s", py_bool(!sum), py_bool(!twice));
    show(twice); // a tensor, or what kept it from existing
    // expect: sum is NULL: True, twice is NULL: True
    // expect: RuntimeError: The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 0
    //< failure

    //> status
    Device device = device_cpu();
    if (device_parse("cuda:01", &device) != OK) // an action returns a Status
        show_failure();
    // expect: RuntimeError: Invalid device string: 'cuda:01'
    //< status

    //> scope
    int64_t alive = tensor_live_count();
    Tensor *last = x;
    for (int step = 0; step < 1000; step++) {
        scope_open(); // what this step makes is this step's
        Tensor *z = tensor_add_int(tensor_mul_int(x, step), 1);
        if (step == 999)
            last = tensor_keep(z); // this one goes to the outer scope
        scope_close();             // the others go now
    }
    show(last);
    say("new tensors alive: %" PRId64, tensor_live_count() - alive);
    // expect: tensor([1000, 1999, 2998])
    // expect: new tensors alive: 1
    //< scope
    return lesson_end(); // frees the rest; fails if a failure was never read
}

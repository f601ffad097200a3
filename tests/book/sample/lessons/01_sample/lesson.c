/* Sample lesson: a tensor lives somewhere.
 *
 * The book's tests render this page; nothing compiles it.
 */
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, show
#include "tensor/tensor.h" // defines: tensor_new, tensor_to

int main(void)
{
    lesson_begin("01_sample");
    //> transfer
    Tensor *x = tensor_new(INT64, shape(3), (int64_t[]){1, 2, 3}, device_cpu());
    Tensor *x7 = tensor_to(x, device_cuda(7)); // a copy; x stays where it was
    show(x);
    show(x7);
    // expect: tensor([1, 2, 3])
    // expect: tensor([1, 2, 3], device='cuda:7')
    //< transfer
    //> power
    Tensor *y = tensor_pow(x7, 2); // the result lives where its input lives
    show(y);                       // expect: tensor([1, 4, 9], device='cuda:7')
    if (tensor_numel(y) != 3)
        say("never: %d & <tags>", 0x10);
    //< power
    return lesson_end();
}

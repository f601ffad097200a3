/* Lesson 05, exercise 4: look before you launch.
 *
 * A target that is no class costs you the GPU. Return the index of the first
 * target outside 0 ... n_classes - 1, or -1 when all are fine. The target may
 * live anywhere; bring it home in one copy, not number by number. (Every class
 * counts here: there is no ignored one.)
 *
 * check  scripts/learn check 05 ex4
 */
#include "tensor/tensor.h" // defines: Tensor, tensor_cpu, tensor_data

int64_t first_bad_target(Tensor *target, int64_t n_classes)
{
    //> answer
    //: (void)target, (void)n_classes;
    //: return 0; // TODO
    Tensor *home = tensor_cpu(target);
    const int64_t *classes = tensor_data(home);
    for (int64_t i = 0; i < tensor_numel(home); i++)
        if (classes[i] < 0 || classes[i] >= n_classes)
            return i;
    return -1;
    //< answer
}

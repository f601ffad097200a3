/* Lesson 08, exercise 3: bring them all home.
 *
 * there[0] … there[n - 1] live on GPUs, one or more on each. Bring them to the
 * CPU: home[i] has the numbers of there[i], and they are all there when you
 * return. The moves from different GPUs shall run at the same time; GPUs that
 * hold none of the tensors are left alone.
 *
 * Return OK, or the failure of the call that failed.
 *
 * check  scripts/learn check 08 ex3
 */
#include "device/device.h" // defines: cuda_synchronize
#include "tensor/tensor.h" // defines: tensor_to_non_blocking, tensor_device
#include <stddef.h>

Status all_home(Tensor *const *there, int n, Tensor **home)
{
    for (int i = 0; i < n; i++)
        home[i] = there[i];
    return OK; // TODO: start every move, then wait
}

/* Lesson 02, exercise 5: go there once.
 *
 * Do n_steps times x = x / 2 + 1, computed on `device`, and return the result
 * on the CPU. x is on the CPU. However many steps there are, two copies are
 * enough.
 *
 * check  scripts/learn check 02 ex5
 */
#include "device/device.h"     // defines: Device
#include "tensor/functional.h" // defines: tensor_add_real, tensor_div_real
#include "tensor/tensor.h"     // defines: tensor_cpu, tensor_to

Tensor *repeat_on(Tensor *x, int n_steps, Device device)
{
    //> answer
    //: (void)n_steps;
    //: (void)device;
    //: return x; // TODO: n_steps steps on `device`
    Tensor *y = tensor_to(x, device);
    for (int step = 0; step < n_steps; step++)
        y = tensor_add_real(tensor_div_real(y, 2), 1);
    return tensor_cpu(y);
    //< answer
}

/* seeds 4.15: tensor.to() must be assigned; here its result is dropped. */
#include "tensor/tensor.h" // defines: tensor_cuda, tensor_to

void move(Tensor *x);

void move(Tensor *x)
{
    tensor_to(x, device_cuda(0)); // says: ignoring return value
    tensor_cuda(x, 0);            // says: ignoring return value
}

/* seeds 1.12: an array has no .to; it is no tensor. */
#include "tensor/tensor.h" // defines: tensor_to

Tensor *move(float *n);

Tensor *move(float *n)
{
    return tensor_to(n, device_cuda(0)); // says: incompatible pointer type
}

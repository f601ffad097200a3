/* A tensor's move must be assigned; a module's need not be. */
#include "nn/module.h"     // defines: module_to, module_cuda
#include "tensor/tensor.h" // defines: tensor_to

void move(Module *net, Tensor *x);

void move(Module *net, Tensor *x)
{
    module_to(net, device_cuda(0)); // in place: no complaint
    module_cuda(net, 0);
    tensor_to(x, device_cuda(0)); // says: ignoring return value
}

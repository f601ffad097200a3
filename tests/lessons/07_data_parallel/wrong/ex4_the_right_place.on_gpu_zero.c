/* A wrong answer, kept to be recognised: GPU 0 is taken for the main GPU. */
#include "nn/module.h"              // defines: module_cuda, module_forward
#include "parallel/data_parallel.h" // defines: data_parallel_new

Tensor *run_on_two(Module *net, Tensor *batch, const int *ids)
{
    DataParallelOptions two = {.device_ids = ids, .n_device_ids = 2};
    module_cuda(net, 0);
    return module_forward(data_parallel_new(net, two), batch);
}

/* A wrong answer, kept to be recognised: the second of the list. */
#include "nn/module.h"              // defines: module_cuda, module_forward
#include "parallel/data_parallel.h" // defines: data_parallel_new

Tensor *run_on_two(Module *net, Tensor *batch, const int *ids)
{
    DataParallelOptions two = {.device_ids = ids, .n_device_ids = 2};
    module_cuda(net, ids[1]);
    return module_forward(data_parallel_new(net, two), batch);
}

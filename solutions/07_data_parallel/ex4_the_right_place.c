/* Lesson 07, exercise 4: the right place.
 *
 * Run `net`, which lies on the CPU, on `batch` over the two GPUs ids[0] and
 * ids[1], and return the output. DataParallel asks for the module in one
 * certain place first.
 *
 * check  scripts/learn check 07 ex4
 */
#include "nn/module.h"              // defines: module_cuda, module_forward
#include "parallel/data_parallel.h" // defines: data_parallel_new

Tensor *run_on_two(Module *net, Tensor *batch, const int *ids)
{
    DataParallelOptions two = {.device_ids = ids, .n_device_ids = 2};
    //> answer
    //: (void)two;
    //: return module_forward(net, batch); // TODO: on two GPUs
    module_cuda(net, ids[0]);
    return module_forward(data_parallel_new(net, two), batch);
    //< answer
}

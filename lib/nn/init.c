/* How parameters begin. */
#include "nn/init.h"

#include "base/status.h"   // defines: status_peek
#include "tensor/create.h" // defines: tensor_uniform_
#include <math.h>

Status init_uniform(Tensor *x, double bound)
{
    return tensor_uniform_(x, -bound, bound) ? OK : status_peek();
}

/* The order of these operations is PyTorch's: it decides the last bit. */
Status init_kaiming_uniform(Tensor *x, double a)
{
    double fan_in = (double)tensor_size(x, 1);
    if (fan_in == 0)
        return OK;
    double root = a;
    double gain = sqrt(2.0 / (1 + root * root));
    double std = gain / sqrt(fan_in);
    return init_uniform(x, sqrt(3.0) * std);
}

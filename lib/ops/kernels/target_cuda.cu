/* The kernels for real GPUs, and the facts by which C starts them. */
#define KERNEL_TARGET 3
#include "ops/kernels/all.k.h"

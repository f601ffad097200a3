/* The elementwise kernels as nvcc sees them, for wide_loads.py. */
#define KERNEL_TARGET 3
#include "ops/kernels/elementwise.k.h"

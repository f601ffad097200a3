/* The kernels for real GPUs, and the facts by which C starts them. */
#undef NDEBUG // a device-side assert is part of what a kernel promises
#include <assert.h>
#define KERNEL_TARGET 3
#include "ops/kernels/all.k.h"

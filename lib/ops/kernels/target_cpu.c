/* The kernels for the CPU: plain loops, which the compiler vectorises. The
 * simulated GPUs play these same functions. */
#define KERNEL_TARGET 1
#include "ops/kernels/all.k.h" // every kernel

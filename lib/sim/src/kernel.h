/* Kernels: functions that the program registered. */
#ifndef SIM_KERNEL_H
#define SIM_KERNEL_H

#include "cudasim.h"

/* What is known of a kernel, or NULL. */
const CudasimKernel *kernel_find(const void *func);

#endif

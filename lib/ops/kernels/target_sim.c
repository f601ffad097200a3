/* The kernels for simulated GPUs: each one is made known to the simulator,
 * which translates its pointers and then plays the CPU's function. */
#define KERNEL_TARGET 2
#include "ops/kernel.h"          // defines: Kernel
#include "ops/kernels/failure.h" // defines: kernel_take_failure
#include <cudasim.h>

static void kernel_register(const Kernel *kernel, void (*on_sim)(void *args))
{
    CudasimKernel info = {
        .name = kernel->name,
        .run = on_sim,
        .args_bytes = kernel->args_bytes,
        .n_pointers = kernel->n_pointers,
        .cost = kernel->cost,
    };
    cudasimRegisterKernel(kernel->on_cuda, &info);
}

/* A KERNEL_ASSERT failed while the device played the kernel: it is lost. */
static void kernel_report_failure(void)
{
    KernelFailure failure;
    if (kernel_take_failure(&failure))
        cudasimDeviceAssert(failure.condition, failure.file, failure.line,
                            failure.kernel, failure.index);
}

#include "ops/kernels/all.k.h"

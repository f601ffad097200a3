/* A kernel and how the host starts it: the one way from an op to a device.
 *
 * Bodies are written once, in ops/kernels/<family>.k.h:
 *
 *     typedef struct ScaleArgs {
 *         const float *x; // pointers first: here 2
 *         float *out;
 *         int64_t n;
 *         float by;
 *     } ScaleArgs;
 *     KERNEL_ON(scale_f32, ScaleArgs, 2, COST(k.n, 8.0 * k.n))
 *     {
 *         FOR_EACH(i, k.n)
 *         {
 *             k.out[i] = k.x[i] * k.by;
 *         }
 *     }
 *
 * An op includes that file (it then sees `scale_f32_kernel`, too) and runs it:
 *
 *     ScaleArgs args = {x, out, n, 2.0F};
 *     TRY(kernel_run(device, &scale_f32_kernel, &args, n));
 *
 * Three files compile the bodies: target_cpu.c, target_sim.c, target_cuda.cu.
 */
#ifndef OPS_KERNEL_H
#define OPS_KERNEL_H

#include "base/status.h"   // defines: Status
#include "device/device.h" // defines: Device
#include <stddef.h>
#include <stdint.h>

/* on_cpu   plays all threads, over host memory
 * on_cuda  what cudaLaunchKernel is given
 * cost     operations and bytes of memory, from the arguments alone */
typedef struct Kernel {
    const char *name;
    void (*on_cpu)(void *args);
    const void *on_cuda;
    size_t args_bytes;
    int n_pointers; // that many pointers lead the arguments
    void (*cost)(const void *args, double *flops, double *bytes);
} Kernel;

/* Run a kernel over n threads' worth of work (0: nothing happens).
 *
 * place   `device`, on its current stream; the current device stays as it is.
 *         On the CPU it is done on return; on a GPU it is on its way.
 * errors  ERR_CUDA  the launch was refused, or earlier work had failed */
Status kernel_run(Device device, const Kernel *kernel, void *args, int64_t n);

/* After kernel_run on the CPU: the index at which a KERNEL_ASSERT failed, or
 * -1. On a GPU it is always -1: a device-side assert is reported later. */
int64_t kernel_failed_index(void);

#endif

/* The words that kernels are written in, and what they mean to each reader.
 *
 * KERNEL_ON(name, args_type, n_pointers, COST(flops, bytes)) { body }
 *     A kernel over a struct of arguments: `k.x` in the body. Its pointers come
 *     first, for the simulator checks and translates them.
 * FOR_EACH(i, n)         the indices below n that are this thread's
 * KERNEL_ASSERT(i, cond) stop with a failed assertion at index i; at the
 *                        body's own level or in its loops, not in functions
 * KERNEL_FN              a small function that kernels call
 * KERNEL_LANES           how many neighbours one thread sums at a time; an op
 *                        counts threads for a GPU, where it is 1
 * KERNEL_UNROLL          before a loop of loads: a GPU's thread keeps several
 *                        under way
 *
 * The reader is KERNEL_TARGET: 0 an op, which needs the arguments and the
 * Kernel's name; 1 target_cpu.c; 2 target_sim.c; 3 target_cuda.cu.
 */
#ifndef OPS_KERNELS_WORDS_H
#define OPS_KERNELS_WORDS_H

#include "ops/kernel.h"          // defines: Kernel
#include "ops/kernels/failure.h" // defines: kernel_note_failure
#include <stdint.h>

#ifndef KERNEL_TARGET
#define KERNEL_TARGET 0
#endif

#define COST(flops, bytes)                                                     \
    *n_flops = (double)(flops);                                                \
    *n_bytes = (double)(bytes);

/* What the host side knows of a kernel: its facts, whoever defines them. */
#define KERNEL_FACTS(name, args_type, n_pointers, symbol)                      \
    {                                                                          \
#name, name##_on_cpu, (const void *)(symbol), sizeof(args_type),       \
            n_pointers, name##_cost                                            \
    }

#if KERNEL_TARGET == 3
#define KERNEL_FN static __host__ __device__ inline
#define KERNEL_LANES 1
#define KERNEL_UNROLL _Pragma("unroll 8")
#define FOR_EACH(i, n)                                                         \
    for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < (n);  \
         i += (int64_t)gridDim.x * blockDim.x)
#define KERNEL_ASSERT(i, cond)                                                 \
    do {                                                                       \
        if (!(cond))                                                           \
            __assert_fail(#cond, __FILE__, __LINE__, __func__);                \
    } while (0)
#define KERNEL_ON(name, args_type, n_pointers, cost)                           \
    extern "C" __global__ void name##_on_cuda(args_type k);                    \
    extern "C" void name##_on_cpu(void *args);                                 \
    extern "C" void name##_cost(const void *args, double *flops,               \
                                double *bytes);                                \
    extern "C" const Kernel name##_kernel =                                    \
        KERNEL_FACTS(name, args_type, n_pointers, name##_on_cuda);             \
    extern "C" __global__ void name##_on_cuda(args_type k)
#else
#define KERNEL_FN static inline
#if KERNEL_TARGET == 1
#define KERNEL_LANES 16
#else
#define KERNEL_LANES 1
#endif
#define KERNEL_UNROLL
/* Threads do not see each other's writes, and neither do the rounds of a loop:
 * it vectorises, also where the result is one of the operands. */
#if defined(__OPTIMIZE__) && defined(__GNUC__) && !defined(__clang__)
#define KERNEL_INDEPENDENT _Pragma("GCC ivdep")
#else
#define KERNEL_INDEPENDENT
#endif
#define FOR_EACH(i, n) KERNEL_INDEPENDENT for (int64_t i = 0; i < (n); i++)
/* Notes where it failed; kernel_run, or the simulator's device, tells it. */
#define KERNEL_ASSERT(i, cond)                                                 \
    do {                                                                       \
        if (!(cond)) {                                                         \
            kernel_note_failure((i), #cond, __FILE__, __LINE__, __func__);     \
            return;                                                            \
        }                                                                      \
    } while (0)
#endif

#if KERNEL_TARGET == 0
#define KERNEL_ON(name, args_type, n_pointers, cost)                           \
    extern const Kernel name##_kernel;                                         \
    static inline void name##_unused(args_type k)
#elif KERNEL_TARGET == 1
#define KERNEL_ON(name, args_type, n_pointers, cost)                           \
    void name##_on_cpu(void *args);                                            \
    void name##_cost(const void *args, double *n_flops, double *n_bytes);      \
    static void name(args_type k);                                             \
    void name##_on_cpu(void *args)                                             \
    {                                                                          \
        name(*(const args_type *)args);                                        \
    }                                                                          \
    void name##_cost(const void *args, double *n_flops, double *n_bytes)       \
    {                                                                          \
        args_type k = *(const args_type *)args;                                \
        (void)k;                                                               \
        cost                                                                   \
    }                                                                          \
    static void name(args_type k)
#elif KERNEL_TARGET == 2
#define KERNEL_ON(name, args_type, n_pointers, cost)                           \
    void name##_on_cpu(void *args);                                            \
    void name##_cost(const void *args, double *n_flops, double *n_bytes);      \
    const Kernel name##_kernel =                                               \
        KERNEL_FACTS(name, args_type, n_pointers, &name##_kernel);             \
    static void name##_on_sim(void *args)                                      \
    {                                                                          \
        name##_on_cpu(args);                                                   \
        kernel_report_failure();                                               \
    }                                                                          \
    __attribute__((constructor)) static void name##_register(void)             \
    {                                                                          \
        kernel_register(&name##_kernel, name##_on_sim);                        \
    }                                                                          \
    static inline void name##_unused(args_type k)
#endif

#endif

/* What one more tensor, stream or device costs when there are many already:
 * the same, if the cost grows as their number does.
 *
 * run   build/sim/tests/bench/bench_growth
 *       (a machine of 64 GPUs: many_gpus.py makes one)
 */
#include "side_by_side.h"      // defines: bench_begin, now_ns
#include "tensor/create.h"     // defines: tensor_ones
#include "tensor/functional.h" // defines: tensor_add_
#include "tensor/scope.h"      // defines: scope_open, scope_close
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void tensors(int n)
{
    scope_open();
    double start = now_ns();
    for (int i = 0; i < n; i++)
        (void)tensor_ones(FLOAT32, shape(16), device_cuda(0));
    double made = now_ns();
    scope_close();
    (void)cudaDeviceSynchronize(); // else the next ones pay for it
    printf("%8d tensors on a GPU: made in %.0f ns each, freed in %.0f ns\n", n,
           (made - start) / n, (now_ns() - made) / n);
}

/* The default stream waits for all others, and these have nothing to do. */
static void beside_idle(int n, void *there)
{
    enum { TIMES = 500 };
    double start = now_ns();
    for (int i = 0; i < TIMES; i++)
        (void)cudaMemsetAsync(there, 0, 16, 0);
    double pushed = now_ns();
    (void)cudaDeviceSynchronize();
    double ran = now_ns();
    for (int i = 0; i < TIMES; i++)
        (void)cudaDeviceSynchronize();
    printf("%8d idle streams: a memset in the default stream %.0f ns, a wait "
           "for the device %.0f ns\n",
           n, (pushed - start) / TIMES, (now_ns() - ran) / TIMES);
}

static void streams(int n)
{
    cudaStream_t *all = malloc((size_t)n * sizeof *all);
    void *there;
    char here[256] = {0};
    if (!all || cudaMalloc(&there, sizeof here) != cudaSuccess)
        exit(77);
    double start = now_ns();
    for (int i = 0; i < n; i++)
        (void)cudaStreamCreate(&all[i]);
    double made = now_ns();
    for (int i = 0; i < n; i++)
        (void)cudaMemcpyAsync(there, here, sizeof here, cudaMemcpyHostToDevice,
                              all[i]);
    (void)cudaDeviceSynchronize();
    double used = now_ns();
    beside_idle(n, there);
    double before = now_ns();
    for (int i = 0; i < n; i++)
        (void)cudaStreamDestroy(all[i]);
    printf("%8d streams: made in %.0f ns each, a copy on each %.0f ns, "
           "destroyed in %.0f ns\n",
           n, (made - start) / n, (used - made) / n, (now_ns() - before) / n);
    cudaFree(there);
    free(all);
}

/* As many tensors, however many GPUs share them. */
static void devices(int n, int n_tensors)
{
    int each = n_tensors / n;
    scope_open();
    double start = now_ns();
    for (int d = 0; d < n; d++)
        (void)tensor_ones(FLOAT32, shape(16), device_cuda(d));
    double opened = now_ns();
    for (int i = 0; i < each; i++)
        for (int d = 0; d < n; d++)
            (void)tensor_ones(FLOAT32, shape(16), device_cuda(d));
    double used = now_ns();
    scope_close();
    printf("%8d GPUs: opened in %.0f ns each, a tensor there %.0f ns\n", n,
           (opened - start) / n, (used - opened) / n / each);
    for (int d = 0; d < n; d++) {
        (void)cudaSetDevice(d);
        (void)cudaDeviceReset();
    }
    (void)cudaSetDevice(0);
}

int main(int argc, char **argv)
{
    int less = bench_begin(argc, argv) ? 10 : 1;
    int n_gpus = cuda_device_count();
    if (n_gpus == 0) {
        printf("needs a GPU\n");
        return 77;
    }
    for (int n = 1000; n <= 100000 / less / less; n *= 10)
        tensors(n);
    for (int n = 16; n <= 4096 / less; n *= 4)
        streams(n);
    for (int n = 1; n <= n_gpus; n *= 2)
        devices(n, 12800 / less);
    return 0;
}

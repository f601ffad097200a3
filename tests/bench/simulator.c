/* What the simulator costs on the host, beside the same work without it.
 *
 * run   build/sim/tests/bench/bench_simulator
 */
#include "nn/layers.h"              // defines: linear_new, sequential_new
#include "parallel/data_parallel.h" // defines: data_parallel_new
#include "side_by_side.h"           // defines: Pair, compare
#include "tensor/create.h"          // defines: tensor_rand
#include "tensor/functional.h"      // defines: tensor_add_
#include "tensor/scope.h"           // defines: scope_open, scope_close
#include "tensor/tape.h"            // defines: no_grad_enter
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAUNCHES = 2000, LARGE = 64 << 20, SMALL_COPIES = 2000 };

static Tensor *x_gpu, *y_gpu, *x_cpu, *y_cpu, *batch;
static Module *plain, *wrapped;
static void *on_gpu, *on_host, *other_host;

static void add_on_gpu(void *context)
{
    (void)context;
    for (int i = 0; i < LAUNCHES; i++)
        (void)tensor_add_(x_gpu, y_gpu);
    (void)cuda_synchronize(0);
}

static void add_on_cpu(void *context)
{
    (void)context;
    for (int i = 0; i < LAUNCHES; i++)
        (void)tensor_add_(x_cpu, y_cpu);
}

static void copy_large(void *context)
{
    (void)context;
    (void)cudaMemcpy(on_gpu, on_host, LARGE, cudaMemcpyHostToDevice);
}

static void memcpy_large(void *context)
{
    (void)context;
    memcpy(other_host, on_host, LARGE);
}

static void copy_small(void *context)
{
    (void)context;
    for (int i = 0; i < SMALL_COPIES; i++)
        (void)cudaMemcpy(on_gpu, on_host, 1024, cudaMemcpyHostToDevice);
}

static void memcpy_small(void *context)
{
    (void)context;
    for (int i = 0; i < SMALL_COPIES; i++) {
        memcpy(other_host, on_host, 1024);
        __asm__ volatile("" : : : "memory");
    }
}

static void forward(Module *net)
{
    bool recording = no_grad_enter();
    scope_open();
    (void)module_forward(net, batch);
    (void)cuda_synchronize(0);
    scope_close();
    no_grad_leave(recording);
}

static void forward_plain(void *context)
{
    (void)context;
    forward(plain);
}

static void forward_wrapped(void *context)
{
    (void)context;
    forward(wrapped);
}

static Module *net_of(int width)
{
    Module *net = sequential_new();
    sequential_add(net, linear_new(width, width));
    sequential_add(net, relu_new());
    sequential_add(net, linear_new(width, width));
    return module_cuda(net, 0);
}

static void data_parallel(int width, int rows, const char *name)
{
    scope_open();
    plain = net_of(width);
    wrapped = data_parallel_new(plain, (DataParallelOptions){0});
    batch = tensor_rand(FLOAT32, shape(rows, width), device_cuda(0));
    compare(&(Pair){name, "DataParallel", "one GPU", forward_wrapped,
                    forward_plain, NULL, 1, "at most 1.3 where work is large"});
    scope_close();
}

static void launches(int n, const char *name)
{
    x_cpu = tensor_rand(FLOAT32, shape(n), device_cpu());
    y_cpu = tensor_rand(FLOAT32, shape(n), device_cpu());
    x_gpu = tensor_cuda(x_cpu, 0);
    y_gpu = tensor_cuda(y_cpu, 0);
    compare(&(Pair){name, "GPU", "CPU", add_on_gpu, add_on_cpu, NULL, LAUNCHES,
                    "at most 1000 ns more"});
}

int main(int argc, char **argv)
{
    bool quick = bench_begin(argc, argv);
    on_host = malloc(LARGE);
    other_host = malloc(LARGE);
    if (!on_host || !other_host || cudaMalloc(&on_gpu, LARGE) != cudaSuccess) {
        printf("needs a GPU and %d MiB of memory\n", 2 * LARGE >> 20);
        return 77;
    }
    memset(on_host, 1, LARGE);
    scope_open();
    launches(1, "add_ of 1 float");
    launches(4096, "add_ of 4096 floats");
    compare(&(Pair){"copy of 64 MiB to the GPU", "cudaMemcpy", "memcpy",
                    copy_large, memcpy_large, NULL, 1, "at most 1.25"});
    compare(&(Pair){"copy of 1 KiB to the GPU", "cudaMemcpy", "memcpy",
                    copy_small, memcpy_small, NULL, SMALL_COPIES, "no aim"});
    if (!quick) {
        data_parallel(512, 16384, "forward, 16384 x 512");
        data_parallel(1024, 512, "forward, 512 x 1024");
    }
    data_parallel(64, 64, "forward, 64 x 64");
    scope_close();
    cudaFree(on_gpu);
    free(other_host);
    free(on_host);
    return 0;
}

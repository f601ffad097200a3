/* The library on GPU 0 beside bare CUDA calls, in one run.
 *
 * Prints a table of ratios. Without a GPU it says so and ends with 77. On the
 * simulator the times are simulated, and show what the model says.
 *
 * run   build/cuda/tests/bench/bench_gpu      (tests/hardware/README.md)
 */
#include "base/status.h"       // defines: status_peek, status_sentence
#include "device/clock.h"      // defines: clock_now_ns, clock_word
#include "device/device.h"     // defines: cuda_properties, cuda_synchronize
#include "tensor/create.h"     // defines: tensor_ones
#include "tensor/functional.h" // defines: tensor_add, tensor_matmul
#include "tensor/scope.h"      // defines: scope_open, scope_close
#include "tensor/tape.h"       // defines: no_grad_enter
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_RUNS = 20 };

static int64_t side = 4096;        // of the square matrices
static int64_t n = 64 << 20;       // numbers of the long rows: 256 MiB each
static Tensor *a, *b, *p, *q;      // two rows, two matrices
static float *from, *to, *product; // for the bare calls
static void *host;
static Tensor *on_host;
static cublasHandle_t handle;

static void add(void)
{
    tensor_add(a, b);
}

/* Three rows travel in an add, two in a copy. */
static void bare_copy(void)
{
    cudaMemcpyAsync(to, from, (size_t)n * 4, cudaMemcpyDeviceToDevice, 0);
}

static void matmul(void)
{
    tensor_matmul(p, q);
}

static void bare_gemm(void)
{
    const float one = 1;
    const float zero = 0;
    int m = (int)side;
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, m, m, &one, from, m, to, m,
                &zero, product, m);
}

static void move(void)
{
    if (!tensor_to(on_host, device_cuda(0)))
        abort();
}

static void bare_move(void)
{
    cudaMemcpy(to, host, (size_t)n * 4, cudaMemcpyHostToDevice);
}

static Tensor *one;

static void small_op(void)
{
    tensor_add(one, one);
}

/* Nanoseconds of one run, after one that does not count. */
static double measure(void (*work)(void), int n_runs)
{
    int64_t start_ns = 0;
    for (int i = -1; i < n_runs; i++) {
        if (i == 0) {
            cuda_synchronize(0);
            start_ns = clock_now_ns();
        }
        scope_open();
        work();
        scope_close();
    }
    cuda_synchronize(0);
    return (double)(clock_now_ns() - start_ns) / n_runs;
}

static void row(const char *what, double ours_ns, double bare_ns, double work)
{
    printf("%-28s %12.1f us %12.1f us %7.3f\n", what, ours_ns / 1000,
           bare_ns / 1000, bare_ns * work / ours_ns);
}

static int prepare(void)
{
    Device gpu = device_cuda(0);
    size_t n_bytes = (size_t)n * 4;
    a = tensor_ones(FLOAT32, shape(n), gpu);
    b = tensor_ones(FLOAT32, shape(n), gpu);
    p = tensor_ones(FLOAT32, shape(side, side), gpu);
    q = tensor_ones(FLOAT32, shape(side, side), gpu);
    one = tensor_ones(FLOAT32, shape(1), gpu);
    on_host = tensor_ones(FLOAT32, shape(n), device_cpu());
    host = malloc(n_bytes);
    if (status_peek() != OK || !host ||
        cudaMalloc((void **)&from, n_bytes) != cudaSuccess ||
        cudaMalloc((void **)&to, n_bytes) != cudaSuccess ||
        cudaMalloc((void **)&product, (size_t)(side * side) * 4) !=
            cudaSuccess ||
        cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) {
        printf("no room for the benchmark: %s\n", status_sentence());
        return -1;
    }
    memset(host, 0, n_bytes);
    cudaMemset(from, 0, n_bytes);
    cudaMemset(to, 0, n_bytes);
    return 0;
}

int main(void)
{
    if (cuda_device_count() < 1) {
        printf("needs 1 GPU, and there are 0\n");
        return 77;
    }
    if (clock_word()[0] == 's') { // simulated: the bytes still move
        side = 256;
        n = 1 << 20;
    }
    CudaProperties card;
    scope_open();
    no_grad_enter();
    if (cuda_properties(0, &card) != OK || prepare() != 0)
        return 1;
    printf("%s, compute capability %d.%d; times are %s\n", card.name,
           card.major, card.minor, clock_word());
    printf("%-28s %15s %15s %7s\n", "", "library", "bare CUDA", "ratio");
    row("add, by bytes, to a copy", measure(add, N_RUNS),
        measure(bare_copy, N_RUNS), 1.5);
    row("matmul to cublasSgemm", measure(matmul, N_RUNS),
        measure(bare_gemm, N_RUNS), 1);
    row("tensor_to to cudaMemcpy", measure(move, N_RUNS),
        measure(bare_move, N_RUNS), 1);
    printf("%-28s %12.2f us\n", "one small op", measure(small_op, 2000) / 1000);
    cublasDestroy(handle);
    free(host);
    scope_close();
    return 0;
}

/* Whole programs, as lessons write them, timed from the first call to the
 * last wait. */
#include "programs.h"          // defines: this file's interface
#include "base/status.h"       // defines: status_peek, status_sentence
#include "device/device.h"     // defines: device_cpu, device_cuda
#include "scale.h"             // defines: scale
#include "tensor/create.h"     // defines: tensor_ones
#include "tensor/functional.h" // defines: tensor_add, tensor_matmul
#include "tensor/scope.h"      // defines: scope_open, scope_close
#include "tensor/tape.h"       // defines: no_grad_enter
#include "timing.h"            // defines: host_ns, print_row
#include <stdio.h>
#include <stdlib.h>

enum { N_CHUNKS = 8, N_STEPS = 16 };

typedef struct Program {
    const char *name;
    void (*run)(const Work *work);
} Program;

static Tensor *there, *here, *matrix;
static float *host, *device;
static size_t n_numbers; // of `host` and `device`
static cudaStream_t streams[2];

/* Many small ops, one wait. */
static void small_ops(const Work *w)
{
    (void)w;
    for (int i = 0; i < N_STEPS; i++)
        tensor_add(matrix, matrix);
    MUST(cudaDeviceSynchronize());
}

/* Long ops one after the other. */
static void chain(const Work *w)
{
    (void)w;
    Tensor *x = there;
    for (int i = 0; i < N_STEPS; i++)
        x = tensor_relu(tensor_mul(x, there));
    MUST(cudaDeviceSynchronize());
}

/* Over, two products, and the answer back. */
static void there_and_back(const Work *w)
{
    (void)w;
    Tensor *x = tensor_to(here, device_cuda(0));
    Tensor *y = tensor_matmul(tensor_matmul(x, matrix), matrix);
    if (!tensor_cpu(y))
        must(false, "tensor_cpu", __FILE__, __LINE__);
}

/* One number back after each step: the loop of lesson 05. */
static void look_each_step(const Work *w)
{
    (void)w;
    for (int i = 0; i < N_STEPS; i++)
        if (!tensor_cpu(tensor_sum(tensor_matmul(matrix, matrix))))
            must(false, "tensor_cpu", __FILE__, __LINE__);
}

/* Copies in, kernels and copies out, overlapping in two streams. */
static void overlap(const Work *w)
{
    (void)w;
    size_t n = n_numbers / N_CHUNKS;
    for (int i = 0; i < N_CHUNKS; i++) {
        cudaStream_t s = streams[i % 2];
        float *at = device + (size_t)i * n;
        float *from = host + (size_t)i * n;
        MUST(cudaMemcpyAsync(at, from, 4 * n, cudaMemcpyHostToDevice, s));
        MUST(scale(at, at, (int64_t)n, 1, s));
        MUST(cudaMemcpyAsync(from, at, 4 * n, cudaMemcpyDeviceToHost, s));
    }
    MUST(cudaDeviceSynchronize());
}

static const Program programs[] = {
    {"program_small_ops", small_ops},
    {"program_chain", chain},
    {"program_there_and_back", there_and_back},
    {"program_look_each_step", look_each_step},
    {"program_overlap", overlap},
};

/* Tensors made on the way go with the scope, outside of what is timed only
 * on the first run. */
static void in_scope(const Work *w)
{
    scope_open();
    programs[w->type].run(w);
    scope_close();
}

static void make(size_t bytes, int side)
{
    int64_t n = (int64_t)(bytes / 4);
    Device gpu = device_cuda(0);
    n_numbers = (size_t)n;
    there = tensor_ones(FLOAT32, shape(n), gpu);
    here = tensor_ones(FLOAT32, shape(side, side), device_cpu());
    matrix = tensor_ones(FLOAT32, shape(side, side), gpu);
    must(status_peek() == OK, status_sentence(), __FILE__, __LINE__);
    MUST(cudaMallocHost((void **)&host, bytes));
    MUST(cudaMalloc((void **)&device, bytes));
    MUST(cudaMemset(device, 0, bytes));
    MUST(cudaMemset(host, 0, bytes));
    for (int i = 0; i < 2; i++)
        MUST(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
}

void programs_run(size_t largest_bytes, int largest_side)
{
    size_t bytes = largest_bytes < 64 << 20 ? largest_bytes : 64 << 20;
    int side = largest_side < 1024 ? largest_side : 1024;
    if (timing_is_simulated() && side > 256)
        side = 256;
    no_grad_enter();
    scope_open();
    make(bytes, side);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        Work w = {in_scope, .type = (int)i};
        print_row(programs[i].name, side, (double)bytes, 0, host_ns(&w));
    }
    scope_close();
    for (int i = 0; i < 2; i++)
        MUST(cudaStreamDestroy(streams[i]));
    MUST(cudaFree(device));
    MUST(cudaFreeHost(host));
}

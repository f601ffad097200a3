/* seeds 1.9: an error surfaces at a later call. */
#include "base/status.h"       // defines: status_take
#include "device/device.h"     // defines: device_cuda
#include "lesson/probe.h"      // defines: probe_*, fact_*
#include "tensor/create.h"     // defines: tensor_ones
#include "tensor/functional.h" // defines: tensor_add
#include "tensor/tensor.h"     // defines: tensor_from_device
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

int my_find_fault(void (*const *steps)(void), int n); // the student's

enum { MOST = 8 };

static Tensor *good, *liar;
static int guilty, n_run;
static char order[3 * MOST + 1]; // "0 1 2 "

static void step(int i)
{
    if (n_run < MOST)
        snprintf(order + strlen(order), 4, "%d ", i);
    n_run++;
    tensor_add(good, i == guilty ? liar : good);
    status_take(); // the student's to find, not the library's to tell
}

#define STEP(i)                                                                \
    static void step_##i(void)                                                 \
    {                                                                          \
        step(i);                                                               \
    }
STEP(0)
STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7)

    static void ask(int n, int to_blame)
{
    void (*const steps[MOST])(void) = {step_0, step_1, step_2, step_3,
                                       step_4, step_5, step_6, step_7};
    guilty = to_blame;
    n_run = 0;
    order[0] = '\0';
    fact_int("the guilty step", my_find_fault(steps, n));
    fact_text("steps run", order);
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    probe_need_devices(2);
    int n = (int)probe_int(4, MOST - 1);
    void *bytes = NULL;
    cudaSetDevice(0);
    cudaMalloc(&bytes, 1024);
    cudaSetDevice(1);
    liar = tensor_from_device(FLOAT32, shape(256), bytes, device_cuda(1));
    good = tensor_ones(FLOAT32, shape(256), device_cuda(1));
    cudaDeviceSynchronize();
    ask(n, -1); // all is well
    ask(n, (int)probe_int(0, n - 2));
    return probe_end();
}

/* seeds 1.9: an error surfaces at a later call. */
#include "base/status.h"       // defines: status_take
#include "device/device.h"     // defines: device_cuda
#include "lesson/probe.h"      // defines: probe_*, fact_*
#include "tensor/create.h"     // defines: tensor_ones
#include "tensor/functional.h" // defines: tensor_add
#include "tensor/tensor.h"     // defines: tensor_from_device
#include <cuda_runtime.h>

int my_find_fault(void (*const *steps)(void), int n); // the student's

enum { MOST = 8 };

static Tensor *good, *liar;
static int guilty, n_run;
static bool strayed;

static void step(void)
{
    tensor_add(good, n_run++ == guilty ? liar : good);
    status_take(); // the student's to find, not the library's to tell
}

static void past_the_end(void)
{
    strayed = true;
}

static void ask(int n, int to_blame)
{
    void (*steps[MOST])(void);
    for (int i = 0; i < MOST; i++)
        steps[i] = i < n ? step : past_the_end;
    guilty = to_blame;
    n_run = 0;
    fact_int("the guilty step", my_find_fault(steps, n));
    fact_int("steps run", n_run);
    fact_bool("a step past the end was run", strayed);
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

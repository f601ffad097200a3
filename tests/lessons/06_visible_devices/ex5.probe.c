/* seeds 2.3, seeds T3: entered, the current GPU changes; left, it is as it
 * was. */
#include "lesson/probe.h" // defines: probe_*, fact_*
#include <cuda_runtime.h>

cudaError_t with_current_device(int gpu, cudaError_t (*work)(void *context),
                                void *context);

typedef struct Seen {
    int calls, current;
    int wander_to; // a GPU that the work leaves current, or -1
    cudaError_t result;
} Seen;

static cudaError_t look(void *context)
{
    Seen *seen = context;
    seen->calls++;
    cudaGetDevice(&seen->current);
    if (seen->wander_to >= 0)
        cudaSetDevice(seen->wander_to);
    return seen->result;
}

static int current(void)
{
    int gpu = -1;
    cudaGetDevice(&gpu);
    return gpu;
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    int n_gpus = 0;
    if (cudaGetDeviceCount(&n_gpus) != cudaSuccess) {
        cudaGetLastError();
        Seen none = {.wander_to = -1};
        cudaError_t refused = with_current_device(0, look, &none);
        fact_text("without a GPU: returned", cudaGetErrorName(refused));
        fact_int("without a GPU: calls of the work", none.calls);
        return probe_end();
    }
    probe_need_devices(3);
    int before = (int)probe_int(0, 2), gpu = (before + 1) % 3;
    cudaSetDevice(before);

    Seen seen = {.current = -1, .wander_to = -1};
    cudaError_t error = with_current_device(gpu, look, &seen);
    fact_text("work succeeds: returned", cudaGetErrorName(error));
    fact_int("the current GPU during the work", seen.current);
    fact_int("the current GPU afterwards", current());
    fact_int("calls of the work", seen.calls);

    cudaSetDevice(before);
    seen = (Seen){.wander_to = -1, .result = cudaErrorInvalidValue};
    error = with_current_device(gpu, look, &seen);
    fact_text("work fails: returned", cudaGetErrorName(error));
    fact_int("the current GPU after a failure", current());

    cudaSetDevice(before);
    seen = (Seen){.wander_to = (before + 2) % 3};
    with_current_device(gpu, look, &seen);
    fact_int("the current GPU after work that changed it", current());

    cudaSetDevice(before);
    seen = (Seen){.current = -1, .wander_to = -1};
    error = with_current_device(99, look, &seen);
    fact_text("a GPU that is not there: returned", cudaGetErrorName(error));
    fact_int("a GPU that is not there: calls of the work", seen.calls);
    fact_int("a GPU that is not there: the current GPU", current());
    return probe_end();
}
